import type { Attributes } from "#/sftp/server/attributes.ts";
import { createPacketReader, type PacketReader } from "#/sftp/server/packet-reader.ts";

interface OfPath {
  /** The raw bytes. */
  readonly path: Buffer;
}

interface OfHandle {
  readonly handle: number;
}

/** The requests of a client (draft-ietf-secsh-filexfer-02 §6, version 3), with the fields of each. */
interface RequestFields {
  readonly open: OfPath & { readonly flags: number };
  readonly close: OfHandle;
  readonly read: OfHandle & { readonly offset: number; readonly length: number };
  readonly write: OfHandle & { readonly offset: number; readonly bytes: Buffer };
  readonly fstat: OfHandle;
  readonly fsetstat: OfHandle & { readonly attributes: Attributes };
  readonly readdir: OfHandle;
  readonly fsync: OfHandle;
  readonly stat: OfPath;
  readonly setstat: OfPath & { readonly attributes: Attributes };
  readonly opendir: OfPath;
  readonly remove: OfPath;
  readonly mkdir: OfPath;
  readonly rmdir: OfPath;
  readonly realpath: OfPath;
  readonly expandPath: OfPath;
  readonly rename: { readonly from: Buffer; readonly to: Buffer };
  readonly limits: object;
  readonly link: object;
  readonly unknown: { readonly what: string };
}

export type RequestKind = keyof RequestFields;
export type RequestOf<Kind extends RequestKind> = { readonly id: number; readonly kind: Kind } & RequestFields[Kind];
export type SftpRequest = { [Kind in RequestKind]: RequestOf<Kind> }[RequestKind];

export const openFlags = { read: 0x1, write: 0x2, append: 0x4, create: 0x8, truncate: 0x10, exclusive: 0x20 } as const;

/** Replaces a handle that the server did not create: it refers to no file. */
const noHandle = -1;

type Fields = (reader: PacketReader) => { readonly kind: RequestKind };

const ofPath =
  (kind: "stat" | "opendir" | "remove" | "mkdir" | "rmdir" | "realpath" | "expandPath"): Fields =>
  (reader) => ({ kind, path: reader.string() });
const ofHandle =
  (kind: "close" | "fstat" | "readdir" | "fsync"): Fields =>
  (reader) => ({ kind, handle: readHandle(reader) });
const rename: Fields = (reader) => ({ kind: "rename", from: reader.string(), to: reader.string() });
const link: Fields = () => ({ kind: "link" });

/** Readers by the type of the packet. */
const fieldsOf: Readonly<Record<number, Fields>> = {
  3: (reader) => ({ kind: "open", path: reader.string(), flags: reader.uint32() }),
  4: ofHandle("close"),
  5: (reader) => ({ kind: "read", handle: readHandle(reader), offset: reader.uint64(), length: reader.uint32() }),
  6: (reader) => ({ kind: "write", handle: readHandle(reader), offset: reader.uint64(), bytes: reader.string() }),
  // Without links, LSTAT and STAT are the same.
  7: ofPath("stat"),
  8: ofHandle("fstat"),
  9: (reader) => ({ kind: "setstat", path: reader.string(), attributes: reader.attributes() }),
  10: (reader) => ({ kind: "fsetstat", handle: readHandle(reader), attributes: reader.attributes() }),
  11: ofPath("opendir"),
  12: ofHandle("readdir"),
  13: ofPath("remove"),
  14: ofPath("mkdir"),
  15: ofPath("rmdir"),
  16: ofPath("realpath"),
  17: ofPath("stat"),
  18: rename,
  19: link,
  20: link,
  200: (reader) => {
    const what = reader.string().toString("latin1");
    return (extensions.get(what) ?? (() => ({ kind: "unknown", what })))(reader);
  },
};

/** Extensions of OpenSSH (its file PROTOCOL, §4) that the server advertises: name → reader. */
const extensions: ReadonlyMap<string, Fields> = new Map<string, Fields>([
  ["posix-rename@openssh.com", rename],
  ["fsync@openssh.com", ofHandle("fsync")],
  ["limits@openssh.com", () => ({ kind: "limits" })],
  ["expand-path@openssh.com", ofPath("expandPath")],
]);

export const extensionNames: readonly string[] = [...extensions.keys()];

/** The first packet of a session; it has no id. */
export const initType = 1;

/** Throws MalformedPacketError. */
export function readRequest(packet: Buffer): SftpRequest {
  const reader = createPacketReader(packet);
  const type = reader.byte();
  const id = reader.uint32();
  const fields = fieldsOf[type] ?? (() => ({ kind: "unknown", what: `type ${type}` }));
  return { id, ...fields(reader) } as SftpRequest;
}

/** The server's handles are four bytes. */
function readHandle(reader: PacketReader): number {
  const handle = reader.string();
  return handle.length === 4 ? handle.readUInt32BE() : noHandle;
}
