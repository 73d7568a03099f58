"""Runs lines of JSON in the component and prints what comes of each: [interface, function, args] or ["verify", request].

Arguments: the module with the host of docs/component.md, the component.
"""

import importlib.util
import json
import sys

spec = importlib.util.spec_from_file_location("host", sys.argv[1])
host = importlib.util.module_from_spec(spec)
spec.loader.exec_module(host)

claimgauge = host.Claimgauge(sys.argv[2])
for line in sys.stdin:
    interface, *rest = json.loads(line)
    try:
        if interface == "verify":
            result = claimgauge.verify(rest[0], claimgauge.builtin)
            result = json.dumps(result, ensure_ascii=False, separators=(",", ":"))
        else:
            name, args = rest
            result = claimgauge.call(interface, name, *args)
        print(json.dumps({"result": result}))
    except host.Refused as refused:
        print(json.dumps({"refused": refused.args[0]}))
