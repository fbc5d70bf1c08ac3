import type { Connection, ServerChannel } from "ssh2";
import { protocolLimits } from "#/intake/sftp/server/handle-operations.ts";
import { bareVersionReply, statusReply } from "#/intake/sftp/server/replies.ts";
import { createUnframer, initType } from "#/intake/sftp/server/requests.ts";

/** For a client that sends no request. */
const waitMsMax = 3_000;
/** After the first request, so that concurrent requests are answered too. */
const farewellMs = 500;

/**
 * Sends the reason of a refused session in both ways that clients show: on the channel's standard error, and as the
 * answer to the first request. Some libraries need the answer to distinguish a refusal from a lost connection.
 */
export function refuseSession(channel: ServerChannel, reason: string): void {
  let isOver = false;

  function finish(): void {
    if (isOver) return;
    isOver = true;
    clearTimeout(timer);
    if (!channel.writable) return;
    channel.exit(1);
    channel.end();
  }

  const timer = setTimeout(finish, waitMsMax).unref();
  const unframer = createUnframer(protocolLimits.packetBytesMax, (packet) => {
    if (isOver || packet.length < 5) return;
    if (packet[0] === initType) {
      channel.write(bareVersionReply);
      return;
    }
    channel.write(statusReply(packet.readUInt32BE(1), "FAILURE", reason));
    setTimeout(finish, farewellMs).unref();
  });
  channel.on("error", () => {});
  channel.on("data", (chunk: Buffer) => {
    if (!isOver && unframer.take(chunk) !== undefined) finish();
  });
  channel.on("end", finish).on("close", finish);
  channel.stderr.write(`${reason}\r\n`);
}

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
