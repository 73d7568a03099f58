import { ClaimgaugeError } from "../error.js";
import type { FileHost } from "./types.js";

let open: ((path: string) => FileHost) | undefined;

/** Says how a folder is looked at, where there are any. */
export function provideFolders(opener: (path: string) => FileHost): void {
  open ??= opener;
}

/** What looks at the folder of this path. */
export function openFolder(path: string): FileHost {
  if (open === undefined) {
    throw new ClaimgaugeError({
      code: "invalid_value",
      message: "There are no folders by path here",
      path: "basePath",
      hint: "basePath is for Node; give a `host` that looks at the files.",
    });
  }
  return open(path);
}
