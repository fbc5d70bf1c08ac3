import net from "node:net";
import { order, orderTemplate } from "./documents.ts";

// The load generator, a process of its own: senders that keep their connection and wait for each answer. Plain sockets,
// because an HTTP client would cost as much as the server.
const [urlText = "", apiKey = "", senders = "32", seconds = "10", prefix = "B"] = process.argv.slice(2);
const url = new URL(urlText);
const template = orderTemplate();
const until = performance.now() + Number(seconds) * 1000;
const started = performance.now();
const latencies: number[] = [];
let sent = 0;
let refused = 0;
let firstRefusal = "";

function send(): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = net.connect({ host: url.hostname, port: Number(url.port), noDelay: true });
    let answer = "";
    let at = 0;
    const next = () => {
      if (performance.now() >= until) {
        socket.end();
        resolve();
        return;
      }
      const body = order(template, `${prefix}-${++sent}`, Math.random());
      at = performance.now();
      socket.write(
        `POST ${url.pathname} HTTP/1.1\r\nHost: ${url.host}\r\nX-API-KEY: ${apiKey}\r\nContent-Type: application/xml\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
      );
    };
    socket.setEncoding("latin1");
    socket.on("connect", next);
    socket.on("error", reject);
    socket.on("data", (chunk: string) => {
      answer += chunk;
      const end = answer.indexOf("\r\n\r\n");
      if (end < 0) return;
      const length = Number(/content-length: (\d+)/i.exec(answer)?.[1] ?? 0);
      if (answer.length < end + 4 + length) return;
      latencies.push(performance.now() - at);
      if (!answer.includes("<success>true</success>")) {
        refused++;
        firstRefusal ||= answer.slice(0, 600);
      }
      answer = "";
      next();
    });
  });
}

await Promise.all(Array.from({ length: Number(senders) }, send));
const elapsed = (performance.now() - started) / 1000;
latencies.sort((left, right) => left - right);
const quantile = (q: number) => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * q))] ?? 0;
process.stdout.write(
  JSON.stringify({
    rate: latencies.length / elapsed,
    p50: quantile(0.5),
    p99: quantile(0.99),
    max: quantile(1),
    refused,
    firstRefusal,
  }),
);
