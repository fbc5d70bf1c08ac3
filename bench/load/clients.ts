import net from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

export interface Load {
  readonly url: URL;
  readonly clients: number;
  readonly seconds: number;
  /**
   * Requests a second that arrive at random moments, whether or not earlier ones are answered; a latency counts from the
   * arrival. Undefined: each client sends its next request when it has its answer.
   */
  readonly rate?: number | undefined;
  /** The complete next request, as sent over the wire. */
  readonly nextRequest: () => string;
  /** @param answer its head, and at least the beginning of its body. */
  readonly isGood: (answer: string) => boolean;
}

/** A POST request with this body. @param headers one per line; the last line has no line end. */
export function post(url: URL, headers: string, body: string): string {
  const { pathname, host } = url;
  return `POST ${pathname} HTTP/1.1\r\nHost: ${host}\r\n${headers}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

/** Keeps only this much of an answer, for checks. */
const seenMax = 4_096;

/**
 * Clients that keep their connection open and wait for each answer. They run in a separate process, and print their
 * results to standard output for `runLoad`. They use plain sockets, because an HTTP client costs as much as the server.
 */
export async function runClients({ url, clients, seconds, rate, nextRequest, isGood }: Load): Promise<void> {
  const started = performance.now();
  const until = started + seconds * 1000;
  let arrival = started;
  /** When the next request arrives. Gaps of an exponential distribution make each moment equally likely. */
  const nextArrival = () => {
    if (rate === undefined) return performance.now();
    arrival -= (Math.log(1 - Math.random()) * 1_000) / rate;
    return arrival;
  };
  const latencies: number[] = [];
  let bytes = 0;
  let refused = 0;
  let firstRefusal = "";

  function ask(): Promise<void> {
    return new Promise((resolve, reject) => {
      const socket = net.connect({ host: url.hostname, port: Number(url.port), noDelay: true });
      let seen = "";
      let received = 0;
      let whole: number | undefined;
      let at = 0;
      const next = async () => {
        at = nextArrival();
        if (at >= until) {
          socket.end();
          resolve();
          return;
        }
        const request = nextRequest();
        seen = "";
        received = 0;
        whole = undefined;
        const early = at - performance.now();
        if (early > 0) await sleep(early);
        if (rate === undefined) at = performance.now();
        socket.write(request);
      };
      socket.on("connect", () => void next());
      socket.on("error", reject);
      socket.on("data", (chunk: Buffer) => {
        bytes += chunk.length;
        received += chunk.length;
        if (seen.length < seenMax) seen += chunk.toString("latin1");
        if (whole === undefined) {
          const end = seen.indexOf("\r\n\r\n");
          if (end < 0) return;
          whole = end + 4 + Number(/content-length: (\d+)/i.exec(seen)?.[1] ?? 0);
        }
        if (received < whole) return;
        latencies.push(performance.now() - at);
        if (!isGood(seen)) {
          refused++;
          firstRefusal ||= seen.slice(0, 600);
        }
        void next();
      });
    });
  }

  await Promise.all(Array.from({ length: clients }, ask));
  const elapsed = (performance.now() - started) / 1000;
  latencies.sort((left, right) => left - right);
  const quantile = (q: number) => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * q))] ?? 0;
  const count = latencies.length;
  const seen = { count, rate: count / elapsed, p50: quantile(0.5), p99: quantile(0.99), bytes: bytes / count };
  process.stdout.write(JSON.stringify({ ...seen, refused, firstRefusal }));
}
