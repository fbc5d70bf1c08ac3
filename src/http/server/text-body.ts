import type { Readable } from "node:stream";
import { errorCodes, type FastifyRequest } from "fastify";
import type { BodyBudget } from "#/http/server/body-budget.ts";
import { exchangeOf, holderOf } from "#/http/server/exchange.ts";
import { createJsonScan, type JsonBounds } from "#/http/server/json-scan.ts";

type Done = (error: Error | null, body?: unknown) => void;

/** The body has more values, or an object of more fields, than its path takes. */
export class JsonBoundsError extends Error {
  override readonly name = "JsonBoundsError";
}

/**
 * Reads text bodies, each within its route's limit and the shared budget.
 *
 * @param boundsOf of the JSON of a route whose body may be large
 */
export function createTextReader(
  budget: BodyBudget,
  boundsOf: (bytesMax: number) => JsonBounds | undefined,
): (request: FastifyRequest, payload: Readable, fail: Done, use: (text: string) => void) => void {
  return (request, payload, fail, use) => {
    const bytesMax = request.routeOptions.bodyLimit;
    if (Number(request.headers["content-length"]) > bytesMax) {
      fail(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE());
      return;
    }
    const exchange = exchangeOf(request);
    const account = budget.open(holderOf(exchange));
    exchange.body = account;
    let chunks: Buffer[] = [];
    let bytes = 0;
    const bounds = boundsOf(bytesMax);
    const scan = bounds && createJsonScan(bounds);
    const release = () => payload.off("data", take).off("end", onEnd).off("error", onError);
    const end = (error: Error) => {
      release();
      chunks = [];
      account.close();
      fail(error);
    };
    const take = (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > bytesMax) {
        end(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE());
        return;
      }
      if (scan?.(chunk) === false) {
        end(new JsonBoundsError());
        return;
      }
      try {
        account.take(chunk.length);
        chunks.push(chunk);
      } catch (error) {
        end(error as Error);
      }
    };
    const onEnd = () => {
      release();
      const [first] = chunks;
      const text = (chunks.length === 1 && first ? first : Buffer.concat(chunks, bytes)).toString();
      exchange.bodyText = text;
      use(text);
    };
    const onError = (error: Error) => end(Object.assign(error, { statusCode: 400 }));
    payload.on("data", take).on("end", onEnd).on("error", onError);
  };
}
