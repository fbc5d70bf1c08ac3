import type { Connection } from "ssh2";

/** What ssh2 keeps for itself: the packets below the messages that it knows. */
interface Insides {
  readonly _protocol?: {
    /** Set while keys are being exchanged, when only packets of that may be sent. */
    readonly _kexinit?: unknown;
    readonly _packetRW?: {
      readonly write: { allocStart: number; alloc(bytes: number): Buffer; finalize(packet: Buffer): Buffer };
    };
    readonly _cipher?: { encrypt(packet: Buffer): void };
  };
}

const userAuthBanner = 53;

/**
 * Tells somebody who is not logged in why (SSH_MSG_USERAUTH_BANNER, RFC 4252 §5.4), which clients show as it is: a refusal
 * itself carries no words. ssh2 can send a banner only before it knows who is there, so this goes by its insides; a version
 * in which they differ says nothing, which a test notices.
 */
export function sendBanner(connection: Connection, text: string): void {
  const protocol = (connection as unknown as Insides)._protocol;
  const packets = protocol?._packetRW?.write;
  if (protocol?._cipher === undefined || packets === undefined || protocol._kexinit !== undefined) return;
  const message = Buffer.from(`${text}\r\n`);
  let at = packets.allocStart;
  const packet = packets.alloc(1 + 4 + message.length + 4);
  packet[at++] = userAuthBanner;
  at = packet.writeUInt32BE(message.length, at);
  at += message.copy(packet, at);
  packet.writeUInt32BE(0, at);
  protocol._cipher.encrypt(packets.finalize(packet));
}
