import { TextDecoder } from "node:util";
import type { Folder, Refusal } from "#/intake/sftp/file-system.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";

export interface Directory {
  readonly kind: "directory";
  readonly path: string;
  /** The folder mounted here; undefined for its parent directories. */
  readonly folder: Folder | undefined;
  /** The names of its subdirectories. */
  readonly children: readonly string[];
}

/** A name in a mounted folder: only the folder knows whether the file exists. */
export interface File {
  readonly kind: "file";
  readonly folder: Folder;
  readonly folderPath: string;
  readonly name: string;
}

export type Place = Directory | File | undefined;

/** The place of a path; undefined where nothing can exist. */
export type Tree = (names: readonly string[]) => Place;

/** The mounted folders with their parent directories, which are derived from their paths. */
export function createTree(folders: ReadonlyMap<string, Folder>): Tree {
  const children = new Map<string, Set<string>>([["/", new Set()]]);
  for (const path of folders.keys()) {
    const names = path.split("/").filter((name) => name !== "");
    for (let depth = 0; depth < names.length; depth++) {
      const above = textOfPath(names.slice(0, depth));
      children.set(above, (children.get(above) ?? new Set()).add(names[depth] as string));
    }
  }
  return (names) => {
    const path = textOfPath(names);
    const folder = folders.get(path);
    if (folder !== undefined || children.has(path)) {
      return { kind: "directory", path, folder, children: [...(children.get(path) ?? [])] };
    }
    const folderPath = textOfPath(names.slice(0, -1));
    const around = folders.get(folderPath);
    return around && { kind: "file", folder: around, folderPath, name: names.at(-1) as string };
  };
}

const nameBytesMax = 255;
const pathBytesMax = 4_096;

/** Control characters, line separators, and bidirectional marks that make a name read backwards. */
const unprintable = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * The names that a protocol path has, from the root down. `..` never leads above the root, and a path without a leading
 * slash also starts there. It needs no access to the folders: there are no links.
 *
 * @param bytes as the client sent them.
 * @returns an empty list for the root. Refused where a name is invalid, whatever the operation.
 */
export function readPath(bytes: Uint8Array): Result<readonly string[], Refusal> {
  if (bytes.length > pathBytesMax) return fault(`A path has at most ${pathBytesMax} bytes.`);
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    return fault("The path is not UTF-8.");
  }
  if (unprintable.test(text)) return fault("A path has no control characters.");
  const names: string[] = [];
  for (const name of text.split("/")) {
    if (name === "" || name === ".") continue;
    if (name === "..") names.pop();
    else if (name.includes("\\")) return fault("A name has no backslash; folders are separated by '/'.");
    else if (Buffer.byteLength(name) > nameBytesMax) return fault(`A name has at most ${nameBytesMax} bytes.`);
    else names.push(name);
  }
  return ok(names);
}

/** `/inbound/NO` for its names, `/` for none. */
export function textOfPath(names: readonly string[]): string {
  return `/${names.join("/")}`;
}

function fault(message: string): Result<never, Refusal> {
  return refused({ status: "FAILURE", message });
}
