// How many bytes of a client's data and requests may wait in memory, over a fake channel.
import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { ServerChannel } from "ssh2";
import { startSession } from "#/intake/sftp/server/session.ts";
import { systemClock } from "#/kernel/clock.ts";
import { createLogger } from "#/kernel/telemetry/log.ts";
import { memoryFolders } from "../../../../tests/support/sftp/memory-folders.ts";

/** The fake client reads output only when the test says so. */
function fakeChannel() {
  const sent: Buffer[] = [];
  const taken: (() => void)[] = [];
  const errors: string[] = [];
  const exits: number[] = [];
  const channel = Object.assign(new EventEmitter(), {
    writable: true,
    write: (bytes: Buffer, done: () => void) => {
      sent.push(bytes);
      taken.push(done);
    },
    stderr: { write: (text: string) => errors.push(text) },
    exit: (code: number) => exits.push(code),
    end: () => {},
  });
  return { channel, sent, errors, exits, takeAll: () => taken.splice(0).forEach((done) => void done()) };
}

function packet(type: number, ...fields: readonly (number | string | Buffer)[]): Buffer {
  const parts = fields.map((field) => {
    if (typeof field === "number") {
      const bytes = Buffer.alloc(4);
      bytes.writeUInt32BE(field);
      return bytes;
    }
    const bytes = Buffer.from(field);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(bytes.length);
    return Buffer.concat([length, bytes]);
  });
  const body = Buffer.concat([Buffer.from([type]), ...parts]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(body.length);
  return Buffer.concat([length, body]);
}

const init = packet(1, 3);
const handleBytes = (handle: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(handle);
  return bytes;
};

function start() {
  const fake = fakeChannel();
  const folders = memoryFolders();
  const holds: boolean[] = [];
  const session = startSession({
    channel: fake.channel as unknown as ServerChannel,
    wire: {
      cork: () => {},
      hold: (_, isHeld) => void (holds.at(-1) !== isHeld && holds.push(isHeld)),
      isFull: () => false,
      onDrain: () => {},
    },
    folders: folders.open({ clientId: "ACME", credentialId: "1", actor: "sftp:acme", origin: "192.0.2.1" }),
    takeRate: async () => 0,
    clock: systemClock,
    log: createLogger({ level: "fatal", format: "json" }),
  });
  const send = (bytes: Buffer) => fake.channel.emit("data", bytes);
  return { ...fake, folders, holds, session, send };
}

async function until(what: string, isSo: () => boolean): Promise<void> {
  for (const endMs = performance.now() + 30_000; !isSo(); await sleep(1)) {
    assert.ok(performance.now() < endMs, `waited for ${what}`);
  }
}

test("reading from a client pauses while half a megabyte waits for the database", async () => {
  const { send, folders, holds, takeAll, sent, channel, session } = start();
  folders.behaviour.writeDelayMs = 5;
  send(init);
  send(packet(3, 1, "/inbound/NO/a.xml", 0x1a, 0));
  const bytes = Buffer.alloc(32_768);
  for (let i = 0; i < 32; i++) {
    // In pieces, as from a network.
    const whole = packet(6, 2 + i, handleBytes(1), 0, i * bytes.length, bytes);
    send(whole.subarray(0, 3));
    send(whole.subarray(3, 20_000));
    send(whole.subarray(20_000));
  }
  assert.deepEqual(holds, [false, true], "it is held before the store has taken anything");
  await until("the store to have taken enough", () => holds.length > 2);
  assert.deepEqual(holds, [false, true, false]);
  send(packet(4, 100, handleBytes(1)));
  await until("the answer to the close", () => sent.length > 34);
  takeAll();
  assert.equal(folders.get("ACME", "/inbound/NO", "a.xml")?.length, 32 * bytes.length);
  assert.equal(sent.length, 1 + 1 + 32 + 1);
  channel.emit("end");
  await session.ended;
});

test("a client that does not read gets no further data, and may still extend its window", async () => {
  const { send, folders, holds, takeAll, sent, channel, session } = start();
  folders.put("ACME", "/archive", "a.bin", Buffer.alloc(64 * 32_768, 7));
  send(init);
  send(packet(3, 1, "/archive/a.bin", 0x1, 0));
  await sleep(10);
  for (let i = 0; i < 2_000; i++) send(packet(5, 2 + i, handleBytes(1), 0, (i % 64) * 32_768, 32_768));
  await until("as many answers as may wait", () => sent.length > 16);
  await sleep(100);
  const waiting = sent.length;
  assert.ok(waiting > 16 && waiting < 40, `${waiting} answers wait for the client`);
  assert.equal(holds.at(-1), false, "its word that it has read must get through");
  await until("all answers", () => {
    takeAll();
    return sent.length >= 2_002;
  });
  assert.equal(sent.length, 2_002);
  channel.emit("end");
  await session.ended;
});

test("a client with endless requests or without SFTP is disconnected", async () => {
  for (const [bytes, words] of [
    [Buffer.concat([init, ...Array.from({ length: 17_000 }, () => packet(17, 1, "/"))]), /Too many requests/],
    [packet(17, 1, "/"), /does not start with a version/],
    [Buffer.from("GET / HTTP/1.1\r\n"), /a packet of \d+ bytes/],
    [Buffer.concat([init, Buffer.from([0, 0, 0, 0])]), /a packet of 0 bytes/],
    [Buffer.concat([init, Buffer.from([0, 0, 0, 2, 17, 0])]), /too short for its fields/],
    [Buffer.concat([init, packet(6, 1, handleBytes(1), 0)]), /too short for its fields/],
    [Buffer.concat([init, packet(9, 1, "/acks", 0x80000000, 0xffffffff)]), /too short for its fields/],
  ] as const) {
    const { send, errors, exits, session } = start();
    send(bytes);
    await session.ended;
    assert.match(errors.join(), words);
    assert.deepEqual(exits, [1]);
  }
});

test("an unknown request is refused without further effect", async () => {
  const { send, sent, channel, session } = start();
  send(init);
  send(packet(200, 7, "statvfs@openssh.com", "/"));
  send(packet(99, 8));
  send(packet(200, 9, "limits@openssh.com"));
  send(packet(200, 10, "expand-path@openssh.com", "~/inbound"));
  send(packet(5, 11, "a foreign handle", 0, 0, 1));
  channel.emit("end");
  await session.ended;
  assert.match(
    sent[0]?.toString("latin1") ?? "",
    /posix-rename@openssh\.com.*fsync@openssh\.com.*limits@openssh\.com/s,
  );
  const replyTo = (id: number) => sent.slice(1).find((reply) => reply.readUInt32BE(5) === id) ?? Buffer.alloc(17);
  assert.equal(replyTo(7).readUInt32BE(9), 8, "OP_UNSUPPORTED");
  assert.match(replyTo(7).toString("latin1"), /statvfs@openssh\.com is not served here/);
  assert.match(replyTo(8).toString("latin1"), /type 99 is not served/);
  assert.equal(replyTo(9).readBigUInt64BE(9), 262_144n);
  assert.match(replyTo(10).toString("latin1"), /\/inbound/);
  assert.match(replyTo(11).toString("latin1"), /handle does not allow/);
});
