import type { FileEntry, Folder, Refusal } from "#/intake/sftp/file-system.ts";
import {
  type Attributes,
  attributesOfDirectory,
  attributesOfFile,
  longNameOf,
  refusalOfChange,
} from "#/intake/sftp/server/attributes.ts";
import { type Handles, handlesMax, type Listing } from "#/intake/sftp/server/handles.ts";
import {
  attributesReply,
  handleReply,
  type NamedAttributes,
  namesReply,
  refusalReply,
  statusReply,
} from "#/intake/sftp/server/replies.ts";
import { openFlags, type RequestOf } from "#/intake/sftp/server/requests.ts";
import { type Directory, type File, type Place, readPath, type Tree, textOfPath } from "#/intake/sftp/server/tree.ts";
import type { Clock } from "#/kernel/clock.ts";
import type { Result } from "#/kernel/result.ts";
import { metrics } from "#/kernel/telemetry/metrics.ts";

export interface OperationContext {
  readonly tree: Tree;
  readonly handles: Handles;
  readonly clock: Clock;
  /** The start of the session: the time that its folders show. */
  readonly beganMs: number;
}

const namesPerReplyMax = 100;
const nameBytesPerReplyMax = 24 * 1024;

const done = (id: number): Buffer => statusReply(id, "OK", "Done.");

function fault(status: Refusal["status"], message: string): Refusal {
  return { status, message };
}

const nothing = fault("NO_SUCH_FILE", "There is no such file.");
const fixed = fault("PERMISSION_DENIED", "The folders are fixed: they cannot be created, renamed or removed.");
const isFolder = fault("FAILURE", "This is a folder.");

/** Answers a request that names a path. Throws the errors of the folder. */
export function createPathOperations({ tree, handles, clock, beganMs }: OperationContext) {
  /** Runs the operation at the path's place; refuses invalid paths first. */
  async function at(id: number, path: Buffer, work: (place: Place) => Promise<Buffer | Refusal>): Promise<Buffer> {
    const names = readPath(path);
    const answer = names.ok ? await work(tree(names.value)) : names.fault;
    return Buffer.isBuffer(answer) ? answer : refusalReply(id, answer);
  }

  const replyOf = (id: number, result: Result<void, Refusal>): Buffer | Refusal =>
    result.ok ? done(id) : result.fault;

  async function openRead(id: number, { folder, folderPath, name }: File): Promise<Buffer | Refusal> {
    if (!folder.openRead) return fault("PERMISSION_DENIED", `Files of ${folderPath} cannot be read.`);
    const opened = await folder.openRead(name);
    if (opened.ok) metrics.sftpFiles.inc({ direction: "out", outcome: "opened" });
    return opened.ok ? handleReply(id, handles.add({ kind: "reading", file: opened.value })) : opened.fault;
  }

  async function openWrite(id: number, { folder, folderPath, name }: File, flags: number): Promise<Buffer | Refusal> {
    if (!folder.openWrite) return fault("PERMISSION_DENIED", `Files cannot be put into ${folderPath}.`);
    const isCreating = (flags & openFlags.create) !== 0;
    if (!isCreating && (await folder.find(name)) === undefined) return nothing;
    const opened = await folder.openWrite(name, {
      isExclusive: isCreating && (flags & openFlags.exclusive) !== 0,
      // OpenSSH's scp sends neither flag, writes from the start, and sets the size afterwards.
      isTruncating: (flags & openFlags.truncate) !== 0 || (flags & openFlags.append) === 0,
    });
    if (!opened.ok) return opened.fault;
    const isAppending = (flags & openFlags.append) !== 0;
    return handleReply(id, handles.add({ kind: "writing", file: opened.value, isAppending, fault: undefined }));
  }

  async function attributesOf(place: Place): Promise<Attributes | undefined> {
    if (place === undefined) return undefined;
    if (place.kind === "directory") return attributesOfDirectory(place.folder, beganMs);
    const entry = await place.folder.find(place.name);
    return entry && attributesOfFile(place.folder, entry);
  }

  async function listingOf({ folder, path, children }: Directory): Promise<Listing> {
    const nowMs = clock.now();
    const named = (name: string, attributes: Attributes): NamedAttributes => ({
      name,
      longName: longNameOf(name, attributes, nowMs),
      attributes,
    });
    const entries = folder ? await folder.list() : [];
    const base = path === "/" ? [] : path.slice(1).split("/");
    const ofChild = (name: string): NamedAttributes => {
      const place = tree([...base, name]);
      return named(name, attributesOfDirectory(place?.kind === "directory" ? place.folder : undefined, beganMs));
    };
    const ofEntry = (entry: FileEntry) => named(entry.name, attributesOfFile(folder as Folder, entry));
    let next = 0;
    return {
      kind: "listing",
      nextNames() {
        const names: NamedAttributes[] = [];
        for (let bytes = 0; names.length < namesPerReplyMax && bytes < nameBytesPerReplyMax; next++) {
          const child = children[next];
          const entry = entries[next - children.length];
          if (child === undefined && entry === undefined) break;
          const name = child === undefined ? ofEntry(entry as FileEntry) : ofChild(child);
          names.push(name);
          bytes += 2 * Buffer.byteLength(name.name) + 96;
        }
        return names;
      },
    };
  }

  return {
    open: ({ id, path, flags }: RequestOf<"open">) =>
      at(id, path, async (place) => {
        const isWriting = (flags & openFlags.write) !== 0;
        if (place === undefined && isWriting) {
          return fault("PERMISSION_DENIED", "There is no such folder; upload files to folders such as /inbound/NO.");
        }
        if (place === undefined) return nothing;
        if (place.kind === "directory") return isFolder;
        if (!handles.hasRoom("file")) return fault("FAILURE", `A session has at most ${handlesMax} files open.`);
        if (isWriting) return openWrite(id, place, flags);
        return (flags & openFlags.read) === 0
          ? fault("FAILURE", "A file is opened for reading or for writing.")
          : openRead(id, place);
      }),

    stat: ({ id, path }: RequestOf<"stat">) =>
      at(id, path, async (place) => {
        const attributes = await attributesOf(place);
        return attributes === undefined ? nothing : attributesReply(id, attributes);
      }),

    setstat: ({ id, path, attributes: wanted }: RequestOf<"setstat">) =>
      at(id, path, async (place) => {
        const attributes = await attributesOf(place);
        if (attributes === undefined) return nothing;
        if (!place?.folder?.openWrite) return fault("PERMISSION_DENIED", "This folder is read-only.");
        return refusalOfChange(wanted, attributes) ?? done(id);
      }),

    opendir: ({ id, path }: RequestOf<"opendir">) =>
      at(id, path, async (place) => {
        if (place?.kind !== "directory") return fault("NO_SUCH_FILE", "There is no such folder.");
        if (!handles.hasRoom("listing")) return fault("FAILURE", "The session has too many folders open.");
        return handleReply(id, handles.add(await listingOf(place)));
      }),

    remove: ({ id, path }: RequestOf<"remove">) =>
      at(id, path, async (place) => {
        if (place?.kind !== "file") return place === undefined ? nothing : isFolder;
        const { folder, folderPath, name } = place;
        if (!folder.remove) return fault("PERMISSION_DENIED", `Files of ${folderPath} cannot be deleted.`);
        return replyOf(id, await folder.remove(name));
      }),

    rename: ({ id, from, to }: RequestOf<"rename">) =>
      at(id, from, async (place) => {
        if (place?.kind !== "file") return place === undefined ? nothing : fixed;
        const names = readPath(to);
        if (!names.ok) return names.fault;
        const target = tree(names.value);
        if (target?.kind === "directory") return fault("FAILURE", "There is a folder of that name.");
        if (target === undefined) return fault("NO_SUCH_FILE", "There is no such folder to rename into.");
        const { folder, folderPath, name } = place;
        if (!folder.rename) return fault("PERMISSION_DENIED", `Files of ${folderPath} cannot be renamed.`);
        return replyOf(id, await folder.rename(name, { folder: target.folderPath, name: target.name }));
      }),

    mkdir: ({ id, path }: RequestOf<"mkdir">) =>
      // Clients that copy a folder create it first, and check whether it exists if that fails.
      at(id, path, async (place) =>
        place?.kind === "directory" ? fault("FAILURE", "There is a folder of that name already.") : fixed,
      ),

    rmdir: ({ id, path }: RequestOf<"rmdir">) => at(id, path, async (place) => (place === undefined ? nothing : fixed)),

    async realpath({ id, path }: Pick<RequestOf<"realpath">, "id" | "path">): Promise<Buffer> {
      const names = readPath(path);
      if (!names.ok) return refusalReply(id, names.fault);
      const text = textOfPath(names.value);
      return namesReply(id, [{ name: text, longName: text, attributes: {} }]);
    },

    async expandPath(request: RequestOf<"expandPath">): Promise<Buffer> {
      // The root is every user's home.
      const path = request.path.toString("latin1").replace(/^~(?=\/|$)/, "/");
      return this.realpath({ ...request, path: Buffer.from(path, "latin1") });
    },

    link: async ({ id }: RequestOf<"link">): Promise<Buffer> =>
      statusReply(id, "OP_UNSUPPORTED", "There are no links here."),
  };
}

export type PathOperations = ReturnType<typeof createPathOperations>;
