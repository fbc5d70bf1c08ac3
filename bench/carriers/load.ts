import net from "node:net";
import { makeRequests } from "./world.ts";

// The load generator, a process of its own: clients that keep their connection and wait for each answer. Plain sockets,
// because an HTTP client would cost as much as the server.
const [urlText = "", token = "", clients = "32", seconds = "10"] = process.argv.slice(2);
const url = new URL(urlText);
const requests = makeRequests(2_000).map((request) => {
  const body = JSON.stringify(request);
  return `POST ${url.pathname} HTTP/1.1\r\nHost: ${url.host}\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
});
const started = performance.now();
const until = started + Number(seconds) * 1000;
const latencies: number[] = [];
let bytes = 0;
let refused = 0;
let firstRefusal = "";
let turn = 0;

function ask(): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = net.connect({ host: url.hostname, port: Number(url.port), noDelay: true });
    let head = "";
    let left = 0;
    let at = 0;
    const next = () => {
      if (performance.now() >= until) {
        socket.end();
        resolve();
        return;
      }
      head = "";
      at = performance.now();
      socket.write(requests[turn++ % requests.length] as string);
    };
    socket.on("connect", next);
    socket.on("error", reject);
    socket.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (left === 0) {
        head += chunk.toString("latin1");
        const end = head.indexOf("\r\n\r\n");
        if (end < 0) return;
        left = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0) - (head.length - end - 4);
      } else {
        left -= chunk.length;
      }
      if (left > 0) return;
      left = 0;
      latencies.push(performance.now() - at);
      if (!head.startsWith("HTTP/1.1 200 ")) {
        refused++;
        firstRefusal ||= head.slice(0, 600);
      }
      next();
    });
  });
}

await Promise.all(Array.from({ length: Number(clients) }, ask));
const elapsed = (performance.now() - started) / 1000;
latencies.sort((left, right) => left - right);
const quantile = (q: number) => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * q))] ?? 0;
process.stdout.write(
  JSON.stringify({
    count: latencies.length,
    rate: latencies.length / elapsed,
    p50: quantile(0.5),
    p99: quantile(0.99),
    bytes: bytes / latencies.length,
    refused,
    firstRefusal,
  }),
);
