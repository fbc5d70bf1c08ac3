import type { OperatorContext } from "#/console-api/context.ts";
import { documentNameOf } from "#/console-api/feeds/document-name.ts";
import { type Found, type FoundKind, foundKinds, foundList, searchQuery } from "#/console-api/search/contract.ts";
import * as queries from "#/console-api/search/search.cross-client.ts";
import { type Scope, scopeOf } from "#/http/access/operator.ts";
import type { HttpServer } from "#/http/server/server.ts";
import { capitals } from "#/kernel/values/capitals.ts";
import { timeOfId } from "#/kernel/values/ids.ts";
import type { Tx } from "#/store/db/database.ts";

export function addSearchRoutes(service: HttpServer, { across }: OperatorContext): void {
  service.get(
    "/search",
    {
      schema: {
        operationId: "search",
        summary: "Find objects by token, number or the beginning of a name",
        description:
          "Over all clients: feed tokens, deliveries, outbound documents, orders, their references and customers (name, e-mail address, postcode, telephone number), parcels by SSCC or tracking number, items by SKU or barcode, lots by batch, units by serial number, purchase orders, returns, work orders, transfers, clients and facilities.",
        querystring: searchQuery,
        response: { 200: foundList },
      } as const,
      config: { partition: "scope" },
    },
    async (request) => ({ items: await search(across, scopeOf(request), request.query.text) }),
  );
}

const foundMax = 20;
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/**
 * The objects that a text names, within the user's limits: exact names first. A token is looked up only as a token.
 *
 * @param query as it was typed.
 */
export async function search(tx: Tx, scope: Scope, query: string): Promise<Found[]> {
  const text = query.trim();
  if (text === "") return [];
  if (uuid.test(text)) {
    const id = text.toLowerCase();
    // Received documents and deliveries belong to a client and to no facility.
    const isOfAllFacilities = scope.facilityCodes === null;
    const [feeds, deliveries, outbound] = await Promise.all([
      isOfAllFacilities ? queries.findFeeds(tx, scope, id) : [],
      isOfAllFacilities ? queries.findDeliveries(tx, scope, id) : [],
      queries.findOutbound(tx, scope, id),
    ]);
    return [
      ...feeds.map((row) => foundOf("FEED", { ...row, label: documentNameOf(row.feed_type, row.label) }, true)),
      ...deliveries.map((row) => foundOf("DELIVERY", row, true)),
      ...outbound.map((row) => foundOf("OUTBOUND", row, true)),
    ].slice(0, foundMax);
  }
  const wanted = capitals(text);
  const small = text.toLowerCase();
  const ask = { ...scope, prefixes: [...new Set([text, wanted])], limit: foundMax };
  const parcelKeys = keysOf(text);
  const [
    orders,
    customers,
    parcels,
    items,
    barcodes,
    lots,
    serials,
    purchases,
    returns,
    works,
    transfers,
    clients,
    facilities,
  ] = await Promise.all([
    queries.findOrders(tx, ask, wanted),
    queries.findOrdersOfCustomer(tx, ask, wanted),
    queries.findParcels(tx, scope, parcelKeys),
    queries.findItems(tx, ask),
    queries.findBarcodes(tx, ask, text),
    queries.findLots(tx, ask),
    queries.findSerials(tx, ask),
    queries.findPurchaseOrders(tx, ask),
    queries.findReturns(tx, ask),
    queries.findWorkOrders(tx, ask),
    queries.findTransfers(tx, ask),
    queries.findClients(tx, ask, small),
    queries.findFacilities(tx, ask, small),
  ]);
  const isNamed = ({ id, label }: queries.FoundObject) => capitals(id) === wanted || capitals(label ?? "") === wanted;
  const all = [
    ...orders.map((row) => foundOf("ORDER", row, isNamed(row))),
    ...customers.map((row) => foundOf("ORDER", row, isNamed(row))),
    ...parcels.map((row) => foundOf("PARCEL", row, true)),
    ...barcodes.map((row) => foundOf("ITEM", row, true)),
    ...items.map((row) => foundOf("ITEM", row, capitals(row.id) === wanted)),
    ...lots.map((row) => foundOf("LOT", row, true)),
    ...serials.map((row) => foundOf("SERIAL", row, true)),
    ...purchases.map((row) => foundOf("PURCHASE_ORDER", row, isNamed(row))),
    ...returns.map((row) => foundOf("RETURN", row, capitals(row.id) === wanted)),
    ...works.map((row) => foundOf("WORK_ORDER", row, capitals(row.id) === wanted)),
    ...transfers.map((row) => foundOf("TRANSFER", row, capitals(row.id) === wanted)),
    ...clients.map((row) => foundOf("CLIENT", row, isNamed(row))),
    ...facilities.map((row) => foundOf("FACILITY", row, isNamed(row))),
  ];
  return shared(distinct(all)).slice(0, foundMax);
}

/** A scanner sends the SSCC after its application identifier 00; a label prints that in brackets and with blanks. */
function keysOf(text: string): string[] {
  const bare = text.replace(/[\s()]/g, "");
  return [...new Set([text, bare, capitals(bare), ...(/^00\d{18}$/.test(bare) ? [bare.slice(2)] : [])])];
}

function foundOf(kind: FoundKind, row: queries.FoundObject, isExact: boolean): Found {
  // The id of a delivery that has not ended contains its creation time.
  const at = row.at ?? (kind === "DELIVERY" ? new Date(timeOfId(row.id)).toISOString() : null);
  return { ...row, kind, label: row.label ?? "", at, isExact };
}

/** Kinds whose id alone is not one object: the number of two purchase orders, the batch of two products. */
const isNamedWithParent: ReadonlySet<FoundKind> = new Set(["PURCHASE_ORDER", "LOT", "SERIAL"]);

function distinct(all: readonly Found[]): Found[] {
  const byKey = new Map<string, Found>();
  for (const match of all) {
    const key = `${match.kind} ${match.clientId} ${match.id} ${isNamedWithParent.has(match.kind) ? match.label : ""}`;
    const known = byKey.get(key);
    if (known === undefined || (match.isExact && !known.isExact)) byKey.set(key, match);
  }
  return [...byKey.values()];
}

/**
 * Exact matches first; of the others each kind in turn, so that orders with a common prefix leave room for the rest.
 */
function shared(all: readonly Found[]): Found[] {
  const rankIn = new Map<FoundKind, number>();
  const ranked = all.map((match) => {
    const rank = match.isExact ? -1 : (rankIn.get(match.kind) ?? 0);
    if (!match.isExact) rankIn.set(match.kind, rank + 1);
    return { match, rank, kind: foundKinds.indexOf(match.kind) };
  });
  const chosen = ranked.toSorted((left, right) => left.rank - right.rank || left.kind - right.kind).slice(0, foundMax);
  return chosen
    .toSorted((left, right) => Number(right.match.isExact) - Number(left.match.isExact) || left.kind - right.kind)
    .map(({ match }) => match);
}
