import type { Folder } from "#/sftp/file-system.ts";
import { textOfPath } from "#/sftp/server/paths.ts";

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
