// A sender: documents, and an HTTP client that never retries and measures each response.
import { Agent, request as httpRequest, type IncomingHttpHeaders } from "node:http";
import type { ServerProcess } from "../../support/app/process.ts";

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly ms: number;
  /** The document was validated, and `success` is true. */
  readonly isAccepted: boolean;
  readonly token: string;
}

const agent = new Agent({ keepAlive: true, maxSockets: 64 });

/** @throws if the connection breaks before the response is complete: then the sender has no response */
export function call(
  url: string,
  options: { method?: string; headers?: Record<string, string>; body?: string; onTaken?: () => void } = {},
): Promise<Answer> {
  const { method = "GET", body, onTaken } = options;
  const headers = { ...options.headers, ...(onTaken ? { expect: "100-continue" } : {}) };
  const beganMs = performance.now();
  return new Promise((resolve, reject) => {
    const sent = httpRequest(url, { agent, method, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("aborted", () => reject(new Error("the answer was cut off")));
      response.on("end", () => {
        // Rejected before the body was sent, so nothing more follows.
        if (!sent.writableEnded) sent.destroy();
        const text = Buffer.concat(chunks).toString();
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: text,
          ms: performance.now() - beganMs,
          isAccepted: response.statusCode === 200 && text.includes("<success>true</success>"),
          token: /<token>([^<]*)/.exec(text)?.[1] ?? "",
        });
      });
    });
    sent.setTimeout(30_000, () => sent.destroy(new Error("no answer within 30 s")));
    sent.on("error", reject);
    if (onTaken === undefined) sent.end(body);
    else
      sent.once("continue", () => {
        sent.end(body);
        onTaken();
      });
  });
}

export type Type = "CAT" | "PO" | "NO";

export interface Sendable {
  readonly type: Type;
  readonly xml: string;
  readonly key?: string | undefined;
}

/** URL of the server, and the client's credentials. */
export type Served = Pick<ServerProcess, "url" | "demo">;

/** @param onTaken called when the server has received the header and the body is being sent */
export function sendFeed(
  server: Served,
  { type, xml, key }: Sendable,
  suffix = "",
  onTaken?: () => void,
): Promise<Answer> {
  return call(`${server.url}/feeds/DEMO/${type}${suffix}`, {
    method: "POST",
    headers: {
      "x-api-key": server.demo.feed.apiKey,
      "content-type": "application/xml",
      ...(key === undefined ? {} : { "idempotency-key": key }),
    },
    body: xml,
    ...(onTaken ? { onTaken } : {}),
  });
}

export const skus = ["FAULT-1", "FAULT-2", "FAULT-3", "FAULT-4", "FAULT-5"] as const;

export const catalogue: Sendable = {
  type: "CAT",
  xml: `<itemMaster><clientId>DEMO</clientId><date>2026-01-01T00:00:00Z</date>${skus
    .map((sku) => `<item><sku>${sku}</sku><name>${sku}</name></item>`)
    .join("")}</itemMaster>`,
};

/** @param lines at most the number of SKUs */
export function orderXml(orderId: string, lines: number, sku?: string): string {
  return (
    `<orderRequest><orderId>${orderId}</orderId><clientId>DEMO</clientId><orderDate>2026-01-01T00:00:00Z</orderDate>` +
    "<shipToAddress><firstName>Ada</firstName><lastName>Lovelace</lastName><address1>12 St James's Square</address1>" +
    "<city>London</city><zip>SW1Y 4JH</zip><country>GB</country></shipToAddress>" +
    `<lines>${linesXml(lines, sku)}</lines></orderRequest>`
  );
}

export function purchaseOrderXml(poNumber: string, lines: number): string {
  return (
    `<vendorOrder><poNumber>${poNumber}</poNumber><distributionCentre>DC1</distributionCentre>` +
    `<clientId>DEMO</clientId><lines>${linesXml(lines)}</lines></vendorOrder>`
  );
}

/** Line n orders n pieces, so that the sum of the quantities shows whether all lines exist. */
function linesXml(lines: number, sku?: string): string {
  return Array.from(
    { length: lines },
    (_, i) =>
      `<line><lineNumber>${i + 1}</lineNumber><sku>${sku ?? skus[i % skus.length]}</sku><qty>${i + 1}</qty></line>`,
  ).join("");
}

/** An access token of the demo client. */
export async function bearerOf(server: Served): Promise<Record<string, string>> {
  const { client_id, client_secret } = server.demo.oauth;
  const answer = await call(`${server.url}/v1/oauth/token`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ grant_type: "client_credentials", client_id, client_secret }),
  });
  return { authorization: `Bearer ${(JSON.parse(answer.body) as { access_token: string }).access_token}` };
}

/** A generator of numbers in [0, 1) that a seed repeats (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function testSeed(): number {
  const text = process.env.CROSSDOCK_TEST_SEED;
  return text === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(text);
}
