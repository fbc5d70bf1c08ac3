// The Order service over real HTTP, and orders as the feed stores them. Import it once per file.
import assert from "node:assert/strict";
import { createIds } from "#/kernel/values/ids.ts";
import type { OrderContent } from "#/modules/orders/intake/check-order.ts";
import { insertLines, insertOrders, type OrderWrite } from "#/modules/orders/intake/repository.ts";
import type { Statement } from "#/store/db/sql.ts";
import { call } from "../http/call.ts";
import { serveClientServices } from "../http/client-services.ts";
import { testDatabase } from "../postgres/database.ts";
import { noContent, plainLine } from "./order-content.ts";

/** Every statement that was sent, in order. */
export const statements: Statement[] = [];
export const { database } = await testDatabase({ onStatement: (statement) => statements.push(statement) });
const ids = createIds();
const url = await serveClientServices({ database, ids });

export type Draft = Partial<Omit<OrderWrite, "content">> & {
  readonly orderId: string;
  readonly content?: Partial<OrderContent>;
};

export async function insert(clientId: string, ...drafts: readonly Draft[]): Promise<void> {
  const orders = drafts.map((draft): OrderWrite => {
    const receivedAt = draft.receivedAt ?? "2026-11-02T10:00:00.000Z";
    return {
      token: ids.next(Date.parse(receivedAt)),
      receivedAt,
      status: "RECEIVED",
      distributionCentre: "DC1",
      isRouted: false,
      holds: [],
      revision: undefined,
      ...draft,
      content: { ...noContent, lines: [plainLine], ...draft.content },
    };
  });
  await database.transaction(async (tx) => {
    await insertOrders(tx.of(clientId), orders);
    insertLines(tx.of(clientId), orders);
  });
}

export interface Page {
  readonly items: readonly Record<string, unknown>[];
  readonly nextCursor: string | null;
}

export async function get(clientId: string, path: string) {
  return call("GET", `${url}/v1/orderService${path}`, { token: `${clientId}.b.c` });
}

export async function list(clientId: string, query: Record<string, string> = {}): Promise<Page> {
  const { status, body } = await get(clientId, `/order/list?${new URLSearchParams(query)}`);
  assert.equal(status, 200, JSON.stringify(body));
  return body as unknown as Page;
}

export const idsOf = ({ items }: Page) => items.map(({ orderId }) => orderId);

/** All pages. */
export async function listAll(clientId: string, query: Record<string, string>): Promise<unknown[]> {
  const seen: unknown[] = [];
  let cursor: string | null | undefined;
  do {
    const page = await list(clientId, cursor ? { ...query, cursor } : query);
    seen.push(...idsOf(page));
    cursor = page.nextCursor;
  } while (cursor !== null);
  return seen;
}
