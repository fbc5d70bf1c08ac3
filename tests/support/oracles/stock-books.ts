// The books of a client that has only its outbound documents: what came by GR, ADJ and RS, less what left by OS, is the
// stock that REST answers (outbound.md). Read independently of the code that writes the documents.
import assert from "node:assert/strict";
import type { TestClient, TestServer } from "../app/server.ts";
import { listDocuments } from "./outbound-documents.ts";
import type { XmlNode } from "./xml-tree.ts";

/** @param facilities all in which the client has stock */
export async function assertBooks(
  server: TestServer,
  clientId: string,
  client: TestClient,
  facilities: readonly string[],
): Promise<void> {
  const books = new Map<string, number>();
  const book = (line: XmlNode, quantity: number) => {
    const sku = line.text("sku") as string;
    books.set(sku, (books.get(sku) ?? 0) + quantity);
  };
  const of = (type: string) => listDocuments(server, clientId, type);

  // Deltas: each document counts.
  for (const root of [...(await of("GR")).values()].flat())
    for (const line of root.all("lines/line")) book(line, numberOf(line, "qtyReceived"));
  for (const root of [...(await of("ADJ")).values()].flat())
    for (const line of root.all("lines/line")) if (!isMove(line)) book(line, numberOf(line, "qty"));
  // Cumulative: the newest document of each object counts.
  for (const root of newestReturns([...(await of("RS")).values()].flat()))
    for (const line of root.all("lines/line"))
      for (const graded of line.all("dispositions/disposition"))
        if (graded.text("disposition") !== "SCRAP") book(line, numberOf(graded, "qty"));
  // A kit leaves as its components, which the contents of its parcels name.
  for (const documents of (await of("OS")).values())
    for (const shipment of documents.at(-1)?.all("shipments/shipment") ?? [])
      if (shipment.text("despatchedAt") !== undefined)
        for (const content of shipment.all("contents/content")) book(content, -numberOf(content, "qty"));

  const stock = new Map<string, number>();
  for (const facility of facilities)
    for (const [sku, onHand] of await client.onHand(facility)) stock.set(sku, (stock.get(sku) ?? 0) + onHand);
  assert.deepEqual(entriesOf(books), entriesOf(stock), `${clientId}: GR + ADJ + RS - OS is the stock of each SKU`);
}

/** Such a line changes the condition only. */
const isMove = (line: XmlNode) => line.text("fromCondition") !== undefined && line.text("toCondition") !== undefined;

const numberOf = (node: XmlNode, name: string) => Number(node.text(name));

/** The newest RS of each return; a `returnId` belongs to its facility. */
function newestReturns(documents: readonly XmlNode[]): readonly XmlNode[] {
  const newest = new Map(
    documents.map((root) => {
      const [rmaNumber, olpnId, ...blind] = root.texts("rmaNumber", "olpnId", "returnId", "distributionCentre");
      return [JSON.stringify([rmaNumber, olpnId, rmaNumber === undefined && olpnId === undefined ? blind : []]), root];
    }),
  );
  return [...newest.values()];
}

function entriesOf(quantities: ReadonlyMap<string, number>): [string, number][] {
  return [...quantities]
    .map(([sku, quantity]): [string, number] => [sku, Math.round(quantity * 1000) / 1000])
    .filter(([, quantity]) => quantity !== 0)
    .sort();
}
