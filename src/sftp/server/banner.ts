import type { Connection } from "ssh2";

/** Internals of ssh2: the packet layer below the messages that it supports. */
interface Insides {
  readonly _protocol?: {
    /** Set during a key exchange, when only its packets may be sent. */
    readonly _kexinit?: unknown;
    readonly _packetRW?: {
      readonly write: { allocStart: number; alloc(bytes: number): Buffer; finalize(packet: Buffer): Buffer };
    };
    readonly _cipher?: { encrypt(packet: Buffer): void };
    disconnect?(reason: number): void;
  };
}

const userAuthBanner = 53;
const serviceNotAvailable = 7;

/**
 * Sends the reason of a refused log-in to the client (SSH_MSG_USERAUTH_BANNER, RFC 4252 §5.4), because a refusal itself
 * has no text. Clients show it unchanged. ssh2 can send a banner only before the user name is known, so this uses its
 * internals. In a version with other internals, no banner is sent, which a test detects.
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

/**
 * Ends the connection with the reason "service not available" (SSH_MSG_DISCONNECT, RFC 4253 §11.1), which programs take
 * as "try again", in the place of a refused log-in.
 */
export function disconnectForNow(connection: Connection): void {
  const protocol = (connection as unknown as Insides)._protocol;
  if (protocol?.disconnect === undefined) connection.end();
  else protocol.disconnect(serviceNotAvailable);
}
