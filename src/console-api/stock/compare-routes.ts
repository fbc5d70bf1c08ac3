import Type from "typebox";
import type { OperatorContext } from "#/console-api/context.ts";
import { namedDay } from "#/console-api/stock/contract.ts";
import { clientIdOf } from "#/http/access/bearer.ts";
import { answers } from "#/http/openapi/openapi.ts";
import { invalidRequest } from "#/http/problems/problem.ts";
import { defineCursor, pageLimitDefault, pageOf, pageParameters, placeOf, placeText } from "#/http/requests/paging.ts";
import { changeOf } from "#/http/routes/operation.ts";
import { closed, identifier, maybeText, moment, nullable, quantity, text } from "#/http/routes/schema.ts";
import type { HttpServer } from "#/http/server/server.ts";
import { notFound } from "#/kernel/refusal.ts";
import { refused } from "#/kernel/result.ts";
import { quantityOf, quantityToNumber } from "#/kernel/values/quantity.ts";
import { findItemRules } from "#/modules/catalogue/index.ts";
import { showClient } from "#/modules/clients/index.ts";
import { type ComparedSku, compareDays, type DayEnd, refusalOfEmptyList } from "#/modules/inventory/index.ts";

const day = (description: string) => Type.String({ format: "date", description, examples: ["2026-11-20"] });

const dayQuantities = (description: string) =>
  Type.Object(
    {
      onHand: quantity("All conditions."),
      available: quantity("What could be sold, of the stock pools in the client setting availablePools."),
      allocated: quantity("Held by orders and work orders."),
      onHold: quantity("On hold, in quarantine, or expired and not allocated."),
      damaged: quantity("Damaged."),
      unsellable: quantity("Neither allocated nor allowed to be."),
    },
    { ...closed, title: "StockOfDay", description },
  );

const row = Type.Object(
  {
    sku: text("Product.", "MUG-BLUE-330"),
    name: maybeText("Name of the item; null: in no catalogue.", "Mug, blue, 330 ml"),
    uom: text("Stock unit.", "EA"),
    before: dayQuantities("At the end of the first day."),
    after: dayQuantities("At the end of the second day."),
    onHandChange: quantity("onHand of the second day less that of the first."),
    availableChange: quantity("available of the second day less that of the first."),
  },
  { ...closed, title: "StockComparisonRow", description: "Stock of a product at the ends of two days." },
);

const dayEnd = Type.Object(
  {
    date: day("The day."),
    asOf: moment("The midnight in the facility that ended it."),
    position: Type.Integer({ description: "Last ledger position that was booked before it.", examples: [4_711] }),
    takenAt: nullable(moment("When the snapshot was taken; null where the ledger gives the quantities.")),
  },
  { ...closed, title: "DayEnd", description: "The end of a day in the facility." },
);

const rowPage = pageOf(row, "Products in the order of their SKUs. A page may end before it is full.");
const comparison = Type.Object(
  { from: dayEnd, to: dayEnd, ...rowPage.properties },
  { ...closed, title: "StockComparison", description: "Stock of a client in a facility at the ends of two days." },
);

const compareQuery = Type.Object(
  {
    clientId: identifier("Client.", "DEMO"),
    distributionCentre: identifier("Facility.", "DC1"),
    from: namedDay("First day; its end is compared.", "2027-03-30"),
    to: namedDay("Second day, after the first."),
    isAll: Type.Optional(
      Type.Boolean({
        description: "True: products without a difference too.",
        default: false,
        examples: [true],
      }),
    ),
    ...pageParameters,
  },
  closed,
);

/** A cursor belongs to two days of a client in a facility. */
const compareCursor = defineCursor("stock:compare", Type.Object({ of: placeText(400), sku: placeText() }));

/** The stock of two days, side by side (contract rest.md §3, operator). */
export function addCompareRoutes(service: HttpServer, context: OperatorContext): void {
  const { database } = context;

  service.get(
    "/stock/compare",
    {
      schema: {
        operationId: "compareStock",
        summary: "Stock of a client in a facility at the ends of two days, by product",
        description:
          "Products whose onHand or available differs. Days and quantities are those of snapshot/get of the Inventory service: any two ended days of the last 400.",
        querystring: compareQuery,
        response: { 200: comparison },
      } as const,
      config: { ...answers(404, 422), partition: "named" },
    },
    async (request) => {
      const { query } = request;
      const { distributionCentre: facilityCode, from, to, isAll = false, limit = pageLimitDefault } = query;
      const clientId = clientIdOf(request);
      const view = database.of(clientId);
      if (from >= to) {
        const message = `${to} is not after from, ${from}; name the earlier day as from`;
        return refused(invalidRequest([{ pointer: "/query/to", message }]));
      }
      const of = JSON.stringify([clientId, facilityCode, from, to]);
      const place = placeOf(compareCursor, query.cursor);
      if (!place.ok) return place;
      if (place.value && place.value.of !== of) {
        const message = "is the nextCursor of other days, or of another facility or client";
        return refused(invalidRequest([{ pointer: "/query/cursor", message }]));
      }
      const client = await showClient(view);
      if (!client.ok) return refused(notFound(client.fault));
      const { availablePools } = client.value.settings;
      const after = place.value?.sku ?? "";
      const comparedDays = { facilityCode, from, to, isAll, availablePools, after, limit };
      const found = await compareDays(database, changeOf(context, request), clientId, comparedDays);
      if (!found.ok) return found;
      const { skus, nextAfter } = found.value;
      const facilitiesOf = async () => client.value.facilities;
      const refusal = await refusalOfEmptyList({ database, facilitiesOf }, clientId, query, "distributionCentre", skus);
      if (refusal) return refused(refusal);
      const rules = await findItemRules(
        view,
        skus.map(({ sku }) => sku),
      );
      return {
        from: endRecord(found.value.from),
        to: endRecord(found.value.to),
        items: skus.map((compared) => rowRecord(compared, rules.get(compared.sku)?.name)),
        nextCursor: nextAfter === undefined ? null : compareCursor.encode({ of, sku: nextAfter }),
      };
    },
  );
}

const endRecord = ({ date, asOf, position, snapshot }: DayEnd) => ({
  date,
  asOf,
  position,
  takenAt: snapshot?.takenAt ?? null,
});

function rowRecord({ sku, uom, from, to }: ComparedSku, name: string | undefined) {
  const change = (of: "onHand" | "available") => quantityToNumber(quantityOf(to[of]) - quantityOf(from[of]));
  return {
    sku,
    name: name ?? null,
    uom,
    before: from,
    after: to,
    onHandChange: change("onHand"),
    availableChange: change("available"),
  };
}
