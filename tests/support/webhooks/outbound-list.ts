// The list of outbound documents as a client sees it over HTTP.
import assert from "node:assert/strict";
import type { TestClient } from "../app/server.ts";
import { until } from "../app/until.ts";

export interface Item {
  readonly messageId: string;
  readonly type: string;
  readonly objectId: string;
  readonly createdAt: string;
  readonly size: number;
}

export interface Page {
  readonly items: readonly Item[];
  readonly nextCursor: string;
}

export async function list(client: TestClient, query = ""): Promise<Page> {
  const response = await client.request(`/feeds/${client.credentials.clientId}/outbound${query}`);
  assert.equal(response.status, 200, await response.clone().text());
  return (await response.json()) as Page;
}

export const post = (client: TestClient, path: string, body?: object) =>
  client.request(`/feeds/${client.credentials.clientId}/outbound/${path}`, {
    method: "POST",
    ...(body === undefined ? {} : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
  });

/** Reads to the end of the list. */
export async function readOn(client: TestClient, query = ""): Promise<Page> {
  let page = await list(client, query);
  const items = [...page.items];
  while (page.items.length > 0) {
    page = await list(client, `?cursor=${page.nextCursor}`);
    items.push(...page.items);
  }
  return { items, nextCursor: page.nextCursor };
}

export function waitFor(client: TestClient, cursor: string, count: number): Promise<readonly Item[]> {
  return until(`${count} documents`, async () => {
    const { items } = await readOn(client, `?cursor=${cursor}`);
    return items.length >= count && items;
  });
}

export async function fetchXml(client: TestClient, messageId: string): Promise<string> {
  const response = await client.request(`/feeds/${client.credentials.clientId}/outbound/${messageId}`);
  assert.equal(response.status, 200);
  assert.equal(response.headers.get("content-type"), "application/xml; charset=utf-8");
  return response.text();
}
