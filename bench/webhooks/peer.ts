import { createHmac, randomBytes } from "node:crypto";
import { Agent } from "undici";
import type { PeerAnswer, PeerCommand } from "./messages.ts";

// The peer, a separate process: the rate of undici and HMAC to the same receiver without a database, an order, or a
// log.
const key = randomBytes(32);
const agent = new Agent({ connections: 512, allowH2: false });

async function post({ urls, inFlight, seconds, bodies }: PeerCommand): Promise<PeerAnswer> {
  const started = performance.now();
  const until = started + seconds * 1_000;
  let posted = 0;
  const loop = async (url: URL) => {
    while (performance.now() < until) {
      const { id, body } = bodies[posted++ % bodies.length] as PeerCommand["bodies"][number];
      await push(url, id, body);
    }
  };
  await Promise.all(urls.flatMap((url) => Array.from({ length: inFlight }, () => loop(new URL(url)))));
  return { rate: posted / ((performance.now() - started) / 1_000) };
}

function push(url: URL, id: string, body: string): Promise<void> {
  const seconds = Math.floor(Date.now() / 1_000);
  const signature = createHmac("sha256", key).update(`${id}.${seconds}.${body}`).digest("base64");
  return new Promise((resolve, reject) => {
    const headers = {
      "content-type": "application/json",
      "webhook-id": id,
      "webhook-timestamp": String(seconds),
      "webhook-signature": `v1,${signature}`,
    };
    agent.dispatch(
      { origin: url.origin, path: url.pathname, method: "POST", headers, body: Buffer.from(body) },
      {
        onRequestStart() {},
        onResponseStart(_controller, status) {
          if (status !== 200) reject(new Error(`answered ${status}`));
        },
        onResponseData() {},
        onResponseEnd: () => resolve(),
        onResponseError: (_controller, error) => reject(error),
      },
    );
  });
}

process.on("message", (command: PeerCommand) => {
  void post(command).then((sent) => process.send?.(sent));
});
process.on("disconnect", () => process.exit());
