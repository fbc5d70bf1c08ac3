import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, createServer } from "node:net";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { startStoreProxy } from "./store-proxy.ts";

test("a delayed link keeps the order of its bytes, also while the delay changes", async () => {
  const echo = createServer((socket) => void socket.pipe(socket)).listen(0, "127.0.0.1");
  await once(echo, "listening");
  const { port } = echo.address() as { readonly port: number };
  const proxy = await startStoreProxy(`postgres://127.0.0.1:${port}/`);
  const socket = connect(Number(new URL(proxy.url).port), "127.0.0.1");
  socket.setNoDelay();
  try {
    const received: Buffer[] = [];
    socket.on("data", (chunk: Buffer) => received.push(chunk));
    let sent = "";
    for (let i = 0; i < 400; i++) {
      proxy.delay([23.7, 23.7, 23.7, 5.2, 0][Math.floor(i / 16) % 5] as number);
      const text = `${i} `;
      sent += text;
      socket.write(text);
      if (i % 4 === 3) await sleep(1);
    }
    while (Buffer.concat(received).length < sent.length) await once(socket, "data");
    assert.equal(Buffer.concat(received).toString(), sent);
  } finally {
    socket.destroy();
    await proxy.close();
    echo.close();
  }
});
