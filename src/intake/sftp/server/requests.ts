import type { Attributes } from "#/intake/sftp/server/attributes.ts";

/** The packet ends before its content, or a text in it is malformed. */
export class MalformedPacketError extends Error {
  override readonly name = "MalformedPacketError";
}

/**
 * Reads the fields of a packet one after the other (RFC 4251 §5). Each method throws MalformedPacketError where the
 * field is missing.
 */
interface PacketReader {
  byte(): number;
  uint32(): number;
  /** As a double: a value beyond 2^53 is not an offset of any of the server's files, and is refused as such. */
  uint64(): number;
  string(): Buffer;
  attributes(): Attributes;
}

const has = { size: 0x1, owner: 0x2, mode: 0x4, times: 0x8, extended: 0x8000_0000 } as const;

function createPacketReader(packet: Buffer): PacketReader {
  let at = 0;

  function take(length: number): number {
    const from = at;
    if (from + length > packet.length) throw new MalformedPacketError("the packet is too short for its fields");
    at += length;
    return from;
  }

  const uint32 = () => packet.readUInt32BE(take(4));
  const uint64 = () => Number(packet.readBigUInt64BE(take(8)));

  function string(): Buffer {
    const length = uint32();
    const from = take(length);
    return packet.subarray(from, from + length);
  }

  return {
    byte: () => packet.readUInt8(take(1)),
    uint32,
    uint64,
    string,
    attributes() {
      const flags = uint32();
      const attributes: Attributes = {
        ...(flags & has.size ? { size: uint64() } : {}),
        ...(flags & has.owner ? { owner: { uid: uint32(), gid: uint32() } } : {}),
        ...(flags & has.mode ? { mode: uint32() } : {}),
        ...(flags & has.times ? { times: { accessed: uint32(), modified: uint32() } } : {}),
      };
      if ((flags & has.extended) !== 0) {
        for (let left = uint32(); left > 0; left--) {
          string();
          string();
        }
      }
      return attributes;
    },
  };
}

interface Unframer {
  /** Returns the fault of the stream, if any: nothing after it can be read. */
  take(chunk: Buffer): string | undefined;
}

/**
 * Splits a stream of bytes into packets (§3 of the draft: a length of four bytes precedes each). Every packet has
 * separate memory, which the receiver may keep.
 */
export function createUnframer(packetBytesMax: number, onPacket: (packet: Buffer) => void): Unframer {
  const head = Buffer.alloc(4);
  let headBytes = 0;
  let packet: Buffer | undefined;
  let filled = 0;
  return {
    take(chunk) {
      for (let at = 0; at < chunk.length; ) {
        if (packet === undefined) {
          head[headBytes++] = chunk[at++] as number;
          if (headBytes < 4) continue;
          headBytes = 0;
          const length = head.readUInt32BE();
          if (length < 1 || length > packetBytesMax) return `a packet of ${length} bytes`;
          packet = Buffer.allocUnsafeSlow(length);
          filled = 0;
          continue;
        }
        const copied = chunk.copy(packet, filled, at);
        filled += copied;
        at += copied;
        if (filled < packet.length) continue;
        const whole = packet;
        packet = undefined;
        onPacket(whole);
      }
      return undefined;
    },
  };
}

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
