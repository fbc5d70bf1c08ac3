import type { Folder } from "#/sftp/file-system.ts";
import { textOfPath } from "#/sftp/server/paths.ts";

export interface Directory {
  readonly kind: "directory";
  readonly path: string;
  /** What is mounted here; none at the folders above those. */
  readonly folder: Folder | undefined;
  /** Names of the directories in it. */
  readonly children: readonly string[];
}

/** A name within a mounted folder: whether there is such a file, the folder knows. */
export interface File {
  readonly kind: "file";
  readonly folder: Folder;
  readonly folderPath: string;
  readonly name: string;
}

export type Place = Directory | File | undefined;

/** Where a path leads: undefined where there can be nothing. */
export type Tree = (names: readonly string[]) => Place;

/** The mounted folders with those above them, which are made of their paths. */
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
