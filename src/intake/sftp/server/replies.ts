// The packets to a client (draft-ietf-secsh-filexfer-02 §7), each preceded by its length.
import type { Refusal } from "#/intake/sftp/file-system.ts";
import type { Attributes } from "#/intake/sftp/server/attributes.ts";
import { extensionNames } from "#/intake/sftp/server/requests.ts";

const statusCodes = {
  OK: 0,
  EOF: 1,
  NO_SUCH_FILE: 2,
  PERMISSION_DENIED: 3,
  FAILURE: 4,
  BAD_MESSAGE: 5,
  OP_UNSUPPORTED: 8,
} as const;

export type Status = keyof typeof statusCodes;

const types = { version: 2, status: 101, handle: 102, data: 103, names: 104, attributes: 105, extended: 201 } as const;

export interface NamedAttributes {
  readonly name: string;
  readonly longName: string;
  readonly attributes: Attributes;
}

const uint32 = (value: number): Buffer => {
  const bytes = Buffer.allocUnsafe(4);
  bytes.writeUInt32BE(value >>> 0);
  return bytes;
};

const uint64 = (value: number): Buffer => {
  const bytes = Buffer.allocUnsafe(8);
  bytes.writeBigUInt64BE(BigInt(value));
  return bytes;
};

function string(value: string | Buffer): Buffer[] {
  const bytes = typeof value === "string" ? Buffer.from(value) : value;
  return [uint32(bytes.length), bytes];
}

function packet(type: number, parts: readonly Buffer[]): Buffer {
  const length = parts.reduce((sum, part) => sum + part.length, 1);
  const head = Buffer.allocUnsafe(5);
  head.writeUInt32BE(length);
  head[4] = type;
  return Buffer.concat([head, ...parts], 4 + length);
}

function bytesOf({ size, owner, mode, times }: Attributes): Buffer[] {
  const flags =
    (size === undefined ? 0 : 0x1) |
    (owner === undefined ? 0 : 0x2) |
    (mode === undefined ? 0 : 0x4) |
    (times === undefined ? 0 : 0x8);
  return [
    uint32(flags),
    ...(size === undefined ? [] : [uint64(size)]),
    ...(owner === undefined ? [] : [uint32(owner.uid), uint32(owner.gid)]),
    ...(mode === undefined ? [] : [uint32(mode)]),
    ...(times === undefined ? [] : [uint32(times.accessed), uint32(times.modified)]),
  ];
}

export const versionReply: Buffer = packet(types.version, [
  uint32(3),
  ...extensionNames.flatMap((name) => [...string(name), ...string("1")]),
]);

/** For a refused session: without extensions, because clients request the advertised ones at once. */
export const bareVersionReply: Buffer = packet(types.version, [uint32(3)]);

/** @param message for people; clients show it unchanged. */
export function statusReply(id: number, status: Status, message: string): Buffer {
  return packet(types.status, [uint32(id), uint32(statusCodes[status]), ...string(message), ...string("en")]);
}

export function refusalReply(id: number, { status, message }: Refusal): Buffer {
  return statusReply(id, status, message);
}

export function handleReply(id: number, handle: number): Buffer {
  return packet(types.handle, [uint32(id), ...string(uint32(handle))]);
}

export function dataReply(id: number, bytes: Buffer): Buffer {
  return packet(types.data, [uint32(id), ...string(bytes)]);
}

export function attributesReply(id: number, attributes: Attributes): Buffer {
  return packet(types.attributes, [uint32(id), ...bytesOf(attributes)]);
}

export function namesReply(id: number, names: readonly NamedAttributes[]): Buffer {
  const entries = names.flatMap(({ name, longName, attributes }) => [
    ...string(name),
    ...string(longName),
    ...bytesOf(attributes),
  ]);
  return packet(types.names, [uint32(id), uint32(names.length), ...entries]);
}

export interface Limits {
  readonly packetBytesMax: number;
  readonly readBytesMax: number;
  readonly writeBytesMax: number;
  readonly handlesMax: number;
}

/** The answer to `limits@openssh.com`. */
export function limitsReply(id: number, limits: Limits): Buffer {
  const { packetBytesMax, readBytesMax, writeBytesMax, handlesMax } = limits;
  return packet(types.extended, [
    uint32(id),
    ...[packetBytesMax, readBytesMax, writeBytesMax, handlesMax].map((value) => uint64(value)),
  ]);
}
