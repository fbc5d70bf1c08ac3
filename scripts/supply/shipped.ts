// The third-party packages that a deployment contains: those that the server loads, and those that the scripts of the
// console and of the documentation are built of.
import { readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../..", import.meta.url));

export interface ShippedPackage {
  readonly name: string;
  readonly version: string;
  /** The SPDX expression of the package's package.json; undefined where the licence is stated otherwise. */
  readonly licence: string | undefined;
  readonly isInServer: boolean;
  readonly isInConsole: boolean;
  readonly isInDocs: boolean;
}

/** The parts of package-lock.json (lockfileVersion 3) that are read here. */
export interface LockFile {
  readonly packages: Readonly<Record<string, LockEntry>>;
}

interface LockEntry {
  readonly name?: string;
  readonly version?: string;
  readonly license?: string;
  readonly link?: boolean;
  readonly resolved?: string;
  readonly dependencies?: Names;
  readonly optionalDependencies?: Names;
  readonly peerDependencies?: Names;
}

type Names = Readonly<Record<string, string>>;

export function readLockFile(folder = root): LockFile {
  return JSON.parse(readFileSync(path.join(folder, "package-lock.json"), "utf8"));
}

/** Tools that build the scripts but are not part of them, and types that only the type checker reads. */
const isBuildTool = (name: string) =>
  ["vite", "@vitejs/plugin-vue", "shiki", "typescript"].includes(name) ||
  /^@(?:types|shikijs|docsearch|iconify-json)\//.test(name);

/** The lock-file keys of what a server needs beside Node. Packages for other platforms are included. */
export function serverPlaces(lock: LockFile): Set<string> {
  const { dependencies, optionalDependencies } = lock.packages[""] ?? {};
  return closure(lock, "", Object.keys({ ...dependencies, ...optionalDependencies }));
}

/** Every package once for each of its versions, by name: those of `serverPlaces`, the pinned Node, and the sites'. */
export function listShipped(lock: LockFile): ShippedPackage[] {
  const nodes = Object.keys(lock.packages["packages/node"]?.optionalDependencies ?? {});
  const server = new Set([...serverPlaces(lock), ...closure(lock, "packages/node", nodes)]);
  const partsOf = (place: string) => {
    const names = Object.keys(lock.packages[place]?.dependencies ?? {}).filter((name) => !isBuildTool(name));
    return closure(lock, place, names);
  };
  const console = partsOf("console");
  const docs = partsOf("docs-site");
  const byId = new Map<string, ShippedPackage>();
  for (const key of [...server, ...console, ...docs]) {
    const entry = lock.packages[key] as LockEntry;
    const name = entry.name ?? key.slice(key.lastIndexOf("node_modules/") + "node_modules/".length);
    const version = entry.version ?? "";
    const known = byId.get(`${name}@${version}`);
    byId.set(`${name}@${version}`, {
      name,
      version,
      licence: entry.license,
      isInServer: server.has(key) || known?.isInServer === true,
      isInConsole: console.has(key) || known?.isInConsole === true,
      isInDocs: docs.has(key) || known?.isInDocs === true,
    });
  }
  const inOrder = (left: string, right: string) => (left < right ? -1 : left > right ? 1 : 0);
  return [...byId.values()].sort(
    (left, right) => inOrder(left.name, right.name) || inOrder(left.version, right.version),
  );
}

/** Lock-file keys of the named packages and of all their dependencies, resolved from the place that requires them. */
function closure(lock: LockFile, place: string, names: readonly string[]): Set<string> {
  const found = new Set<string>();
  const open = names.map((name) => ({ place, name }));
  for (let next = open.pop(); next; next = open.pop()) {
    const key = resolve(lock, next.place, next.name);
    // A peer or optional dependency that is not installed has no entry.
    if (key === undefined || found.has(key)) continue;
    const entry = lock.packages[key] as LockEntry;
    found.add(key);
    const needed = { ...entry.dependencies, ...entry.optionalDependencies, ...entry.peerDependencies };
    for (const name of Object.keys(needed)) if (!isBuildTool(name)) open.push({ place: key, name });
  }
  return found;
}

/** Node's resolution of a package: in the folder that requires it, then in each parent folder. */
function resolve({ packages }: LockFile, place: string, name: string): string | undefined {
  for (let folder = place; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf("/")))) {
    const key = path.posix.join(folder, "node_modules", name);
    if (packages[key]) return key;
    if (folder === "") return undefined;
  }
}
