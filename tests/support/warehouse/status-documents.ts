// OS documents as a client reads them: listed and fetched over HTTP, each valid against its published XSD.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createXmlEngine, element, text, wrapped } from "#/intake/xml/index.ts";
import type { TestClient } from "../app/server.ts";
import { fetchXml, type Item, list } from "../webhooks/outbound-list.ts";

const bucketNames = ["Open", "Backordered", "Allocated", "Picked", "Packed", "Despatched", "Cancelled"];
const outcomeNames = ["Delivered", "Returned"];
const lineNames = ["Ordered", ...bucketNames, ...outcomeNames].map((name) => `qty${name}`);
const texts = (...names: string[]) => Object.fromEntries(names.map((name) => [name, text]));
const contents = wrapped("content", element({ children: texts("lineNumber", "sku", "qty", "batchRef") }));
const shipment = element({
  children: { ...texts("olpnId", "carrierCode", "trackingNumber", "despatchedAt"), contents },
});
const shape = element({
  children: {
    ...texts("orderId", "status", "statusCode", "statusReason", "statusTimeStamp", "distributionCentre"),
    lines: wrapped("line", element({ children: texts("lineNumber", "status", ...lineNames) })),
    shipments: wrapped("shipment", shipment),
  },
});
const engine = await createXmlEngine();
const schema = engine.compile(readFileSync(new URL("../../../schemas/xsd/OS.xsd", import.meta.url)));

type Row = Readonly<Record<string, string>>;

export interface StatusDocument {
  readonly status: string;
  readonly distributionCentre: string;
  readonly statusCode: string;
  readonly statusReason?: string;
  readonly statusTimeStamp: string;
  readonly lines: readonly Row[];
  readonly shipments?: readonly (Row & { readonly contents: readonly Row[] })[];
}

/** Documents of one order, in list order. */
export async function statusDocuments(client: TestClient, orderId: string): Promise<StatusDocument[]> {
  const items: Item[] = [];
  for (let cursor = ""; ; ) {
    const page = await list(client, `?type=OS&limit=500${cursor}`);
    items.push(...page.items.filter(({ objectId }) => objectId === orderId));
    if (page.items.length === 0) break;
    cursor = `&cursor=${page.nextCursor}`;
  }
  return Promise.all(
    items.map(async ({ messageId }) => {
      const xml = await fetchXml(client, messageId);
      const read = engine.read(Buffer.from(xml), { schema, shape });
      assert.ok(read.ok, read.ok ? "" : `${JSON.stringify(read.fault.problems)}\n${xml}`);
      return read.value as unknown as StatusDocument;
    }),
  );
}

/** The buckets of a line of a record or a document, except the ordered quantity: "Allocated 1 Picked 2". */
export function bucketsOf(line: Readonly<Record<string, unknown>>): string {
  return [...bucketNames, ...outcomeNames]
    .filter((name) => Number(line[`qty${name}`] ?? 0) !== 0)
    .map((name) => `${name} ${Number(line[`qty${name}`])}`)
    .join(" ");
}
