// Runs the cases of tests/languages/cases.json with the TypeScript client: a line of steps in, a line for each report out.
import { randomUUID } from "node:crypto";
import { existsSync, readFileSync, writeFileSync, writeSync } from "node:fs";
import { createInterface } from "node:readline";
import {
  createClient,
  createFeedClient,
  events,
  type FeedDocuments,
  FeedError,
  items,
  ProblemError,
  SignatureError,
  TokenError,
  unwrap,
  verifyWebhook,
} from "@crossdock/client";
import type { OrderCreate } from "@crossdock/client/order";

const createPath = "/v1/orderService/order/create";

type Step =
  | { readonly do: "getOrder"; readonly orderId: string }
  | { readonly do: "listOrders"; readonly status: "ALLOCATED"; readonly limit: number }
  | { readonly do: "createOrder"; readonly body: OrderCreate }
  | { readonly do: "post"; readonly path: typeof createPath; readonly body: OrderCreate }
  | { readonly do: "feed"; readonly type: "NO"; readonly key?: string; readonly document: FeedDocuments["NO"] }
  | {
      readonly do: "verify";
      readonly secret: string;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: string;
      readonly now: number;
    }
  | { readonly do: "events"; readonly topicName?: string; readonly killedAfter?: number };
type Client = ReturnType<typeof createClient>;

const report = (value: object) => void writeSync(1, `${JSON.stringify(value)}\n`);
const retry = { backoffMs: 10 };

async function runSteps({ url, cursorFile, steps }: { url: string; cursorFile: string; steps: readonly Step[] }) {
  const credentials = { clientId: "id", clientSecret: "secret", retry, newIdempotencyKey: randomUUID };
  const client = createClient({ baseUrl: url, authUrl: `${url}/auth`, ...credentials });
  const { newIdempotencyKey: _, ...withoutKeys } = credentials;
  const plain = createClient({ baseUrl: url, authUrl: `${url}/auth`, ...withoutKeys });
  for (const step of steps) {
    try {
      await runStep(step, step.do === "post" ? plain : client, url, cursorFile);
    } catch (error) {
      report(failureOf(error));
    }
  }
  report({ done: true });
}

function failureOf(error: unknown): object {
  if (error instanceof ProblemError) {
    const { status, code, errors } = error;
    return { error: "problem", status, code, errors };
  }
  if (error instanceof TokenError) return { error: "token", status: error.status, code: error.error };
  if (error instanceof FeedError) return { error: "feed", status: error.status };
  if (error instanceof SignatureError) return { error: "signature" };
  return { error: "lost" };
}

async function runStep(step: Step, client: Client, url: string, cursorFile: string): Promise<void> {
  switch (step.do) {
    case "getOrder": {
      const path = { orderId: step.orderId };
      const order = await unwrap(client.orders.GET("/v1/orderService/order/get/{orderId}", { params: { path } }));
      const { orderId, status, receivedAt, lines } = order;
      return report({ orderId, status, qty: lines[0]?.qty, receivedAt });
    }
    case "listOrders": {
      const { status, limit } = step;
      const found: string[] = [];
      try {
        for await (const order of items(client.orders, "/v1/orderService/order/list", {
          params: { query: { status, limit } },
        })) {
          found.push(order.orderId);
        }
        return report({ items: found });
      } catch (error) {
        return report({ items: found, ...failureOf(error) });
      }
    }
    case "createOrder": {
      const order = await unwrap(client.orders.POST(createPath, { body: step.body }));
      return report({ orderId: order.orderId });
    }
    case "post":
      return report({ body: await unwrap(client.orders.POST(step.path, { body: step.body })) });
    case "feed": {
      const feeds = createFeedClient({
        baseUrl: url,
        clientId: "DEMO",
        apiKey: "cd_key",
        retry,
      });
      const ack = await feeds.send(
        step.type,
        step.document,
        step.key === undefined ? {} : { idempotencyKey: step.key },
      );
      const { token, success, feedType, faults, missingSkus, objectId = null } = ack;
      return report({ token, success, feedType, errors: faults, missingSkus, objectId });
    }
    case "verify": {
      const event = await verifyWebhook(step.secret, step.headers, step.body, { nowMs: step.now * 1000 });
      if (event.type !== "order:despatched") throw new Error(`unknown topic ${event.type}`);
      const { type, objectId, data } = event;
      return report({ type, objectId, status: data.status });
    }
    case "events": {
      const { killedAfter, topicName } = step;
      const cursor = existsSync(cursorFile) ? readFileSync(cursorFile, "utf8") : undefined;
      const save = (next: string) => {
        writeFileSync(cursorFile, next);
        report({ saved: next });
      };
      let handled = 0;
      const filter = topicName === undefined ? {} : { topicName };
      for await (const event of events(client, { cursor, save, ...filter })) {
        report({ id: event.id });
        handled++;
        if (handled === killedAfter) process.kill(process.pid, "SIGKILL");
      }
      return report({ end: true });
    }
  }
}

for await (const line of createInterface({ input: process.stdin })) await runSteps(JSON.parse(line));
