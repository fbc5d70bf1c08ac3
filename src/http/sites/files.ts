import { statSync } from "node:fs";
import path from "node:path";

/** Files below this folder of a build have content hashes in their names. */
export const hashed = "assets/";

/** For a file with a content hash in its name. */
export const cachedForEver = "public, max-age=31536000, immutable";

/** A path of a build. No segment begins with a dot, so no path leaves the folder. */
const filePath = /^(?:[\w@-][\w.@-]*\/)*[\w@-][\w.@-]*$/;

export function isFileIn(folder: string, file: string): boolean {
  if (!filePath.test(file)) return false;
  return statSync(path.join(folder, file), { throwIfNoEntry: false })?.isFile() === true;
}
