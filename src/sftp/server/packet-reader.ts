import type { Attributes } from "#/sftp/server/attributes.ts";

/** The packet ends before its content, or a text in it is malformed. */
export class MalformedPacketError extends Error {
  override readonly name = "MalformedPacketError";
}

/**
 * Reads the fields of a packet one after the other (RFC 4251 §5). Each method throws MalformedPacketError where the
 * field is missing.
 */
export interface PacketReader {
  byte(): number;
  uint32(): number;
  /** As a double: a value beyond 2^53 is not an offset of any of the server's files, and is refused as such. */
  uint64(): number;
  string(): Buffer;
  attributes(): Attributes;
}

const has = { size: 0x1, owner: 0x2, mode: 0x4, times: 0x8, extended: 0x8000_0000 } as const;

export function createPacketReader(packet: Buffer): PacketReader {
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

export interface Unframer {
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
