import type { ServerChannel } from "ssh2";
import { protocolLimits } from "#/sftp/server/handle-operations.ts";
import { createUnframer } from "#/sftp/server/packet-reader.ts";
import { bareVersionReply, statusReply } from "#/sftp/server/replies.ts";
import { initType } from "#/sftp/server/requests.ts";

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
