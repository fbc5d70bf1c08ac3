import { clientIdOf } from "#/http/access/bearer.ts";
import { answers } from "#/http/openapi/openapi.ts";
import { invalidRequest, problem } from "#/http/problems/problem.ts";
import { pageLimitDefault, placeOf } from "#/http/requests/paging.ts";
import type { ServiceContext } from "#/http/routes/operation.ts";
import type { HttpServer } from "#/http/server/server.ts";
import { refused } from "#/kernel/result.ts";
import { quantityOf, quantityToNumber } from "#/kernel/values/quantity.ts";
import { kitSentence, readStock, type SkuQuantities } from "#/modules/inventory/quantities.ts";
import { createFacilityDays, faultOfFacility } from "#/modules/inventory/rest/asked-facility.ts";
import {
  type DetailedInventory,
  detailedInventory,
  type InventoryDetails,
  type InventoryItem,
  inventory,
  inventoryCursor,
  inventoryListQuery,
  inventoryPage,
  lookupQuery,
  skuListRequest,
  skuQuery,
} from "#/modules/inventory/rest/lookup-contract.ts";
import { readLots, readStockPage } from "#/modules/inventory/rest/lookups.ts";
import { readSnapshot } from "#/store/db/store/snapshot.ts";

export interface InventoryContext extends ServiceContext {
  /** The facilities that the client may use. */
  facilitiesOf(clientId: string): Promise<readonly string[]>;
  /** The stock pools that the client counts as available. */
  availablePoolsOf(clientId: string): Promise<"*" | readonly string[]>;
}

const everySku =
  "Every requested SKU is answered once, in the order of the request; unknown ones with found: false and zeros.";

/** Current stock: the look-up part of the Inventory service (contract rest.md §3, §4; specification 2.3). */
export function addInventoryRoutes(service: HttpServer, context: InventoryContext): void {
  const { database, clock, availablePoolsOf } = context;
  const todayIn = createFacilityDays(database, clock);
  const asOf = () => new Date(clock.now()).toISOString();
  const readDetails = createDetailsReader(context, todayIn);

  /** A 422 if the facility does not belong to the client. */
  async function refusalOfFacility(clientId: string, facilityCode: string, pointer: string) {
    const fault = await faultOfFacility(context, clientId, facilityCode, pointer);
    return fault && refused(problem("unprocessable", fault.message, { errors: [fault] }));
  }

  /** One statement per look-up without kits: look-ups are frequent, and their answer must come from one snapshot of the store. */
  async function lookUp(clientId: string, distributionCentre: string, requestedSkus: readonly string[]) {
    const skus = [...new Set(requestedSkus)];
    const [today, availablePools] = await Promise.all([todayIn(distributionCentre), availablePoolsOf(clientId)]);
    const head = { clientId, distributionCentre, asOf: asOf() };
    const stock = await readStock(database.ofClient(clientId).reads.of(clientId), distributionCentre, skus, today);
    return { ...head, position: stock.position, items: itemsOf(skus, stock.skus, availablePools) };
  }

  service.post(
    "/findInventoryBySkuList",
    {
      schema: {
        operationId: "findInventoryBySkuList",
        summary: "Stock of up to 1000 SKUs in a facility",
        description: everySku,
        querystring: lookupQuery,
        body: skuListRequest,
        response: { 200: inventory },
      } as const,
      config: answers(422),
    },
    async (request) => {
      const clientId = clientIdOf(request);
      const { distributionCentre, products } = request.body;
      const foreign = await refusalOfFacility(clientId, distributionCentre, "#/distributionCentre");
      return foreign ?? lookUp(clientId, distributionCentre, products);
    },
  );

  service.get(
    "/findInventoryBySku",
    {
      schema: {
        operationId: "findInventoryBySku",
        summary: "Stock of one SKU in a facility",
        description: "An unknown SKU is answered with found: false and zeros.",
        querystring: skuQuery,
        response: { 200: inventory },
      } as const,
      config: answers(422),
    },
    async (request) => {
      const clientId = clientIdOf(request);
      const { distributionCentre, sku } = request.query;
      const foreign = await refusalOfFacility(clientId, distributionCentre, "/query/distributionCentre");
      return foreign ?? lookUp(clientId, distributionCentre, [sku]);
    },
  );

  service.post(
    "/findInventoryDetailsBySkuList",
    {
      schema: {
        operationId: "findInventoryDetailsBySkuList",
        summary: "Stock of up to 1000 SKUs in a facility, by lot",
        description: everySku,
        querystring: lookupQuery,
        body: skuListRequest,
        response: { 200: detailedInventory },
      } as const,
      config: answers(422),
    },
    async (request) => {
      const clientId = clientIdOf(request);
      const { distributionCentre, products } = request.body;
      const foreign = await refusalOfFacility(clientId, distributionCentre, "#/distributionCentre");
      if (foreign) return foreign;
      return readDetails(clientId, distributionCentre, [...new Set(products)]);
    },
  );

  service.get(
    "/inventory/list",
    {
      schema: {
        operationId: "listInventory",
        summary: "Stock of a facility by SKU, or its changes since a position",
        description:
          "SKUs that have or had stock in the facility. To stay up to date: read all pages, and then send their position as changedSincePosition for the changes since.",
        querystring: inventoryListQuery,
        response: { 200: inventoryPage },
      } as const,
      config: answers(422),
    },
    async (request) => {
      const clientId = clientIdOf(request);
      const { distributionCentre, changedSincePosition, cursor, limit = pageLimitDefault } = request.query;
      const place = placeOf(inventoryCursor, cursor);
      if (!place.ok) return place;
      const from = place.value;
      if (from && !(from.facility === distributionCentre && from.since === changedSincePosition)) {
        const message = "is not a nextCursor of this list with this facility and position";
        return refused(invalidRequest([{ pointer: "/query/cursor", message }]));
      }
      const foreign = await refusalOfFacility(clientId, distributionCentre, "/query/distributionCentre");
      if (foreign) return foreign;
      const [today, availablePools] = await Promise.all([todayIn(distributionCentre), availablePoolsOf(clientId)]);
      const head = { clientId, distributionCentre, asOf: asOf() };
      const page = await readStockPage(database, clientId, distributionCentre, {
        after: from?.sku ?? "",
        since: changedSincePosition,
        limit,
        today,
      });
      const position = from?.position ?? page.position;
      const since = changedSincePosition === undefined ? {} : { since: changedSincePosition };
      const next = { facility: distributionCentre, ...since, position };
      return {
        ...head,
        position,
        items: itemsOf(page.skus, page.quantities, availablePools),
        nextCursor: page.nextAfter === undefined ? null : inventoryCursor.encode({ ...next, sku: page.nextAfter }),
      };
    },
  );
}

/** Reads the stock of SKUs in a facility by lot, from one snapshot of the store. */
export function createDetailsReader(
  { database, clock, availablePoolsOf }: Pick<InventoryContext, "database" | "clock" | "availablePoolsOf">,
  todayIn = createFacilityDays(database, clock),
): (clientId: string, distributionCentre: string, skus: readonly string[]) => Promise<DetailedInventory> {
  return async (clientId, distributionCentre, skus) => {
    const [today, availablePools] = await Promise.all([todayIn(distributionCentre), availablePoolsOf(clientId)]);
    const head = { clientId, distributionCentre, asOf: new Date(clock.now()).toISOString() };
    const [stock, lots] = await readSnapshot(database.ofClient(clientId), (tx) =>
      Promise.all([
        readStock(tx.of(clientId), distributionCentre, skus, today),
        readLots(tx.of(clientId), distributionCentre, skus),
      ]),
    );
    const items = itemsOf(skus, stock.skus, availablePools).map((item): InventoryDetails => {
      const ofSku = lots.get(item.sku) ?? [];
      // The lots contain all on-hand quantity. The sum uses thousandths, because sums of decimals are not exact.
      const named = ofSku.reduce((sum, { qty }) => sum + quantityOf(qty), 0);
      return { ...item, lots: ofSku, lotsTruncated: named < quantityOf(item.onHand) };
    });
    return { ...head, position: stock.position, items };
  };
}

function itemsOf(
  skus: readonly string[],
  quantities: ReadonlyMap<string, SkuQuantities>,
  availablePools: "*" | readonly string[],
): InventoryItem[] {
  return skus.map((sku) => inventoryItem(sku, quantities.get(sku) as SkuQuantities, availablePools));
}

/** @param availablePools the stock pools that the top-level `available` counts. */
function inventoryItem(
  sku: string,
  { total, inTransit, pools, unsellableParts, uom, lastMovedAt, kit }: SkuQuantities,
  availablePools: "*" | readonly string[],
): InventoryItem {
  const stockPools: InventoryItem["stockPools"] = [];
  let available = 0;
  for (const { stockPool, quantities: pool } of pools) {
    if (availablePools === "*" || availablePools.includes(stockPool)) available += pool.available;
    if (pool.onHand === 0 && pool.available === 0) continue;
    stockPools.push({
      stockPool,
      onHand: quantityToNumber(pool.onHand),
      available: quantityToNumber(pool.available),
    });
  }
  return {
    sku,
    found: uom !== undefined,
    onHand: quantityToNumber(total.onHand),
    available: quantityToNumber(available),
    allocated: quantityToNumber(total.allocated),
    onHold: quantityToNumber(total.onHold),
    damaged: quantityToNumber(total.damaged),
    unsellable: quantityToNumber(total.unsellable),
    unsellableReasons: unsellableParts.map(({ reason, qty }) => ({ reason, qty: quantityToNumber(qty) })),
    expected: quantityToNumber(total.expected),
    inTransit: quantityToNumber(inTransit),
    inReturn: quantityToNumber(total.inReturn),
    backordered: quantityToNumber(total.backordered),
    uom: uom ?? null,
    kit: kit === undefined ? null : { qty: quantityToNumber(kit.kits), limitedBy: kit.sku, text: kitSentence(kit) },
    stockPools,
    lastMovementAt: lastMovedAt ?? null,
  };
}
