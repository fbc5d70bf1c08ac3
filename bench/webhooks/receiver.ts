import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { ReceiverAnswer, ReceiverCommand } from "./messages.ts";

// The receiver, a separate process: answers 200 to every push, verifies nothing, and counts.
let expected = Number.POSITIVE_INFINITY;
let count = 0;
let firstMs = 0;
let arrivals: [objectId: string, atMs: number][] | undefined;
let hanging: string | undefined;
let waiting: ServerResponse[] = [];

const tell = (answer: ReceiverAnswer) => process.send?.(answer);
const answer = (response: ServerResponse) => response.writeHead(200, { "content-length": "0" }).end();

const server = createServer({ keepAliveTimeout: 60_000, requestTimeout: 0 }, (request, response) => {
  const parts: Buffer[] = [];
  request.on("data", (part: Buffer) => {
    if (arrivals) parts.push(part);
  });
  request.on("end", () => {
    const atMs = Date.now();
    if (count++ === 0) firstMs = atMs;
    if (count === expected) tell({ kind: "counted", firstMs, lastMs: atMs });
    if (arrivals && parts.length > 0) {
      arrivals.push([(JSON.parse(Buffer.concat(parts).toString()) as { objectId: string }).objectId, atMs]);
    }
    if (request.url === hanging) waiting.push(response);
    else answer(response);
  });
});

process.on("message", (command: ReceiverCommand) => {
  switch (command.kind) {
    case "count":
      expected = command.expected;
      count = 0;
      arrivals = undefined;
      break;
    case "record":
      arrivals = [];
      break;
    case "take":
      tell({ kind: "taken", arrivals: arrivals ?? [] });
      arrivals = [];
      return;
    case "hang":
      hanging = command.path;
      if (hanging !== undefined) break;
      for (const response of waiting) answer(response);
      waiting = [];
  }
  tell({ kind: "heard" });
});
process.on("disconnect", () => process.exit());
server.listen(0, "127.0.0.1", () => {
  tell({ kind: "listening", url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
});
