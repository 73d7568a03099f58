// Loaded into a process that is measured: what it took is written when it ends.
process.on("exit", () => require("node:fs").writeFileSync(process.env.USAGE_FILE, JSON.stringify(process.resourceUsage())));
