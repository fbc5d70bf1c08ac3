import type { OperatorContext } from "#/console-api/context.ts";
import { addCompareRoutes } from "#/console-api/stock/compare-routes.ts";
import {
  type ExpiringLot,
  expiringPage,
  expiryCursor,
  expiryQuery,
  levelCursor,
  levelPage,
  levelQuery,
  lotList,
  lotQuery,
  type StatementEntry,
  type StockLevel,
  type StoredEntry,
  statementCursor,
  statementPage,
  statementQuery,
  wantedPage,
  wantedQuery,
} from "#/console-api/stock/contract.ts";
import { addDemandRoutes } from "#/console-api/stock/demand-routes.ts";
import { addStockImportRoute } from "#/console-api/stock/import-route.ts";
import { findOnHand, findStatementRange, listEntriesBefore, listLots } from "#/console-api/stock/statement.ts";
import {
  type ExpiringRow,
  findReachOfLevels,
  itemKey,
  type LevelPlace,
  listBackordered,
  listExpiring,
  listLevels,
  listOnHold,
  namesOf,
  productKey,
  type StoredLevel,
  sumDespatched,
} from "#/console-api/stock/stock.cross-client.ts";
import { clientIdOf } from "#/http/access/bearer.ts";
import { scopeOf } from "#/http/access/operator.ts";
import { answers } from "#/http/openapi/openapi.ts";
import { invalidRequest } from "#/http/problems/problem.ts";
import { lookThrough, readSearchedPage } from "#/http/requests/looked-through.ts";
import { pageLimitDefault, placeOf, readPage } from "#/http/requests/paging.ts";
import { changeOf } from "#/http/routes/operation.ts";
import type { HttpServer } from "#/http/server/server.ts";
import { refused } from "#/kernel/result.ts";
import { dayMs } from "#/kernel/values/durations.ts";
import { idBoundary } from "#/kernel/values/ids.ts";
import { quantityOf, quantityToNumber, storedQuantity } from "#/kernel/values/quantity.ts";
import { unsellablePartsOf } from "#/modules/inventory/index.ts";
import { readSnapshot } from "#/store/db/store/snapshot.ts";

const lotsMax = 1_000;
/** The same number of days as in the overview's count of expiring lots. */
const expiringDays = 30;
const positionEnd = Number.MAX_SAFE_INTEGER;

/** Current stock, its history, and expiring lots (contract rest.md §3, operator; lifecycle.md §8). */
export function addStockListRoutes(service: HttpServer, context: OperatorContext): void {
  const { database, across, clock } = context;
  addStockImportRoute(service, context);
  addCompareRoutes(service, context);
  addDemandRoutes(service, context);

  service.get(
    "/stock/list",
    {
      schema: {
        operationId: "listStock",
        summary: "Stock of each client by product and facility",
        description: "By SKU. The same quantities as in the Inventory service, without expected ones.",
        querystring: levelQuery,
        response: { 200: levelPage },
      } as const,
      config: { partition: "scope" },
    },
    async (request) => {
      const {
        text = "",
        isOnHold = false,
        isUnavailable = false,
        isUnsellable = false,
        expiresWithinDays,
      } = request.query;
      const at = new Date(clock.now()).toISOString();
      const isSearched = isUnavailable || isUnsellable || expiresWithinDays !== undefined;
      const filter = { ...scopeOf(request), prefix: text, at };
      const wanted = { isOnHold: isOnHold && isSearched, isUnavailable, isUnsellable, expiresWithinDays };
      return readSearchedPage(request.query, {
        cursors: levelCursor,
        search: (place, limit) =>
          lookThrough<StoredLevel, LevelPlace>({
            after: place,
            limit,
            placeOf: ({ sku, clientId, distributionCentre: facilityCode }) => ({ sku, clientId, facilityCode }),
            async list(after, last, most) {
              const page = { ...filter, after, limit: most };
              const among = isOnHold && !isSearched ? await listOnHold(across, page) : undefined;
              return listLevels(across, { ...page, ...wanted, reach: last, among });
            },
            findReach: isSearched
              ? (after, looked) => findReachOfLevels(across, { ...filter, after }, looked)
              : undefined,
          }),
        itemOf: levelRecord,
      });
    },
  );

  service.get(
    "/stock/backordered",
    {
      schema: {
        operationId: "listBackorderedProducts",
        summary: "Products for which orders wait, by facility",
        description: "By SKU, with the back-ordered quantity of the lines.",
        querystring: wantedQuery,
        response: { 200: wantedPage },
      } as const,
      config: { partition: "scope" },
    },
    async (request) => {
      return readPage(request.query, {
        cursors: levelCursor,
        read: (after, limit) => listBackordered(across, { ...scopeOf(request), after, limit }),
        placeOf: ({ sku, clientId, distributionCentre: facilityCode }) => ({ sku, clientId, facilityCode }),
        async itemsOf(rows) {
          const names = await namesOf(across, rows);
          return rows.map((row) => ({ ...row, name: names.get(itemKey(row)) ?? null }));
        },
      });
    },
  );

  service.get(
    "/stock/lots",
    {
      schema: {
        operationId: "listStockLots",
        summary: "Stock of a product by lot, in all facilities",
        description: "Lots with stock only, sorted by facility, condition, pool and expiry.",
        querystring: lotQuery,
        response: { 200: lotList },
      } as const,
      config: { partition: "scope" },
    },
    async (request) => {
      const { sku, batchRef = null } = request.query;
      const clientId = clientIdOf(request);
      const { facilityCodes } = scopeOf(request);
      const items = await listLots(database.of(clientId), { sku, batchRef, facilityCodes, limit: lotsMax });
      return { clientId, sku, items };
    },
  );

  service.get(
    "/stock/statement",
    {
      schema: {
        operationId: "readStockStatement",
        summary: "The ledger of a product in a facility, with the balance after each entry",
        description: "The newest first. Reservations are listed and do not change the balance.",
        querystring: statementQuery,
        response: { 200: statementPage },
      } as const,
      config: { ...answers(404), partition: "named" },
    },
    async (request) => {
      const { distributionCentre: facilityCode, sku, from, to, cursor, limit = pageLimitDefault } = request.query;
      const clientId = clientIdOf(request);
      const of = JSON.stringify([clientId, facilityCode, sku, from ?? null, to ?? null]);
      const place = placeOf(statementCursor, cursor);
      if (!place.ok) return place;
      if (place.value && place.value.of !== of) {
        const message = "is the nextCursor of other days, or of another product, facility or client";
        return refused(invalidRequest([{ pointer: "/query/cursor", message }]));
      }
      const change = changeOf(context, request);
      const range = await findStatementRange(database, change, clientId, { facilityCode, sku, from, to });
      if (!range.ok) return range;
      const start = place.value ?? range.value.end;
      const before = start?.position ?? positionEnd;
      const since = range.value.since;
      // Reads balance and entries from one snapshot of the store; otherwise the running total belongs to another
      // moment.
      const [onHand, rows] = await readSnapshot(database, (tx) =>
        Promise.all([
          findOnHand(tx.of(clientId), facilityCode, sku),
          listEntriesBefore(tx.of(clientId), { facilityCode, sku, before, since, limit: limit + 1 }),
        ]),
      );
      const { items, left } = entriesOf(rows.slice(0, limit), start?.onHand ?? storedQuantity(onHand));
      const last = items.at(-1);
      const next = last && rows.length > limit ? { of, position: last.position, onHand: left } : undefined;
      return { items, nextCursor: next ? statementCursor.encode(next) : null };
    },
  );

  service.get(
    "/stock/expiring",
    {
      schema: {
        operationId: "listExpiringStock",
        summary: "Lots that expire, the first to expire first, with the forecast of the quantity left",
        description: `The pace is that of the last ${despatchDays} days, of the product in its facility. Each lot of a product is forecast as if it were the only one.`,
        querystring: expiryQuery,
        response: { 200: expiringPage },
      } as const,
      config: { partition: "scope" },
    },
    async (request) => {
      const { from, to, only } = request.query;
      const now = clock.now();
      const dateIn = (days: number) => new Date(now + days * dayMs).toISOString().slice(0, 10);
      const filter = {
        ...scopeOf(request),
        only,
        from: from ?? (only === undefined ? dateIn(-400) : "-infinity"),
        to: to ?? dateIn(only === undefined ? 90 : expiringDays - 1),
        at: new Date(now).toISOString(),
      };
      return readPage(request.query, {
        cursors: expiryCursor,
        read: (after, limit) => listExpiring(across, { ...filter, after, limit }),
        placeOf: ({ distributionCentre: facilityCode, expiryDate, clientId, sku, lot }) => ({
          expiryDate,
          clientId,
          facilityCode,
          sku,
          lot,
        }),
        async itemsOf(rows) {
          const [despatched, names] = await Promise.all([
            sumDespatched(across, rows, idBoundary(now - despatchDays * dayMs)),
            namesOf(across, rows),
          ]);
          return rows.map((row) => expiringRecord(row, despatched.get(productKey(row)) ?? 0, names.get(itemKey(row))));
        },
      });
    },
  );
}

/** Number of days from which a product's despatch rate is computed. */
const despatchDays = 30;

function levelRecord({ quarantined, expired, isActive, ...level }: StoredLevel): StockLevel {
  const unsellable = quantityOf(level.unsellable);
  const reasons = unsellablePartsOf({
    unsellable,
    onHold: quantityOf(level.onHold),
    damaged: quantityOf(level.damaged),
    quarantined: quantityOf(quarantined),
    expired: quantityOf(expired),
    isActive: isActive ?? undefined,
  });
  return {
    ...level,
    available: quantityToNumber(quantityOf(level.onHand) - quantityOf(level.allocated) - unsellable),
    unsellableReasons: reasons.map(({ reason, qty }) => ({ reason, qty: quantityToNumber(qty) })),
  };
}

/**
 * Entries, the newest first, each with the balance after it.
 *
 * @param onHand integer thousandths after the newest of them.
 * @returns `left`: the balance before the oldest, where the next page continues.
 */
function entriesOf(
  rows: readonly StoredEntry[],
  onHand: number,
): { readonly items: StatementEntry[]; readonly left: number } {
  let left = onHand;
  const items = rows.map((row): StatementEntry => {
    const onHandAfter = quantityToNumber(left);
    if (row.affectsOnHand) left -= quantityOf(row.qty);
    return { ...row, onHandAfter };
  });
  return { items, left };
}

/** @param despatched of the product in its facility, in the last `despatchDays` */
function expiringRecord(row: ExpiringRow, despatched: number, name: string | undefined): ExpiringLot {
  const { qty, daysLeft } = row;
  const perDay = despatched / despatchDays;
  const sellable = Math.max(0, daysLeft + 1) * perDay;
  return {
    ...row,
    name: name ?? null,
    despatchedPerDay: Math.round(perDay * 100) / 100,
    coverDays: perDay > 0 ? Math.round((qty / perDay) * 10) / 10 : null,
    atRisk: quantityToNumber(quantityOf(Math.max(0, qty - sellable))),
  };
}
