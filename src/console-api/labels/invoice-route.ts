import Type, { type Static } from "typebox";
import type { OperatorContext } from "#/console-api/context.ts";
import { answers } from "#/http/openapi/openapi.ts";
import { problem } from "#/http/problems/problem.ts";
import { closed, identifier, maybeText, nullable, text } from "#/http/routes/schema.ts";
import type { HttpServer } from "#/http/server/server.ts";
import type { RequestFault } from "#/kernel/refusal.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";
import { isCurrency } from "#/kernel/values/amount.ts";
import { readCsv } from "#/kernel/values/csv-lines.ts";
import { findParcelOwners } from "#/modules/parcels/index.ts";
import type { ClientTx } from "#/store/db/database.ts";
import { sql, tenant } from "#/store/db/sql.ts";

const linesMax = 5_000;
const faultsMax = 100;

const invoiceCheck = Type.Object(
  {
    clientId: identifier("Client whose parcels are invoiced.", "DEMO"),
    csv: Type.String({
      minLength: 1,
      description: `The invoice: a line with the columns trackingNumber, amount and currency, then a line for each charge, at most ${linesMax}. Charges of one parcel are added up; other columns are not read.`,
      examples: ["trackingNumber,amount,currency\nRM123456785GB,4.20,GBP\n"],
    }),
    tolerancePercent: Type.Optional(
      Type.Number({ minimum: 0, maximum: 1_000, default: 1, description: "Smaller differences match.", examples: [1] }),
    ),
  },
  { ...closed, title: "CarrierInvoice", description: "The charges of a carrier." },
);

const amount = (description: string) => Type.Number({ description, examples: [4.2] });
const charge = Type.Object(
  {
    line: Type.Integer({ description: "First line of the file with the number.", examples: [2] }),
    trackingNumber: text("Tracking number.", "RM123456785GB"),
    result: Type.Enum(["MATCHED", "DIFFERENT", "UNPRICED", "UNKNOWN"], {
      type: "string",
      title: "InvoiceResult",
      description:
        "DIFFERENT: above the tolerance, or in another currency. UNPRICED: no decision with a price was kept. UNKNOWN: no parcel of the client has the number.",
      examples: ["DIFFERENT"],
    }),
    invoiced: amount("Invoiced amount."),
    currency: text("Its currency.", "GBP"),
    decided: nullable(amount("Price of the decision, for this parcel.")),
    decidedCurrency: maybeText("Its currency.", "GBP"),
    olpnId: maybeText("Parcel.", "006141410000000012"),
    orderId: maybeText("Order.", "WEB-100045"),
  },
  { ...closed, title: "InvoicedCharge", description: "An invoiced parcel beside its decision." },
);
type Charge = Static<typeof charge>;

const checked = Type.Object(
  { items: Type.Array(charge, { description: "By their place in the file." }) },
  { ...closed, title: "CheckedInvoice", description: "The invoice beside the kept decisions." },
);

/** The costs that a carrier invoices, beside the prices of the kept decisions (contract carriers.md, Invoiced costs). */
export function addInvoiceRoute(service: HttpServer, { database }: OperatorContext): void {
  service.post(
    "/carrierInvoice/check",
    {
      schema: {
        operationId: "checkCarrierInvoice",
        summary: "Compare the invoice of a carrier with the kept decisions",
        description: "Nothing is stored.",
        body: invoiceCheck,
        response: { 200: checked },
      } as const,
      config: { ...answers(422), isHeavy: true },
    },
    async (request) => {
      const { clientId, csv, tolerancePercent = 1 } = request.body;
      const read = readCharges(csv);
      if (!read.ok) {
        const detail = read.fault.map(({ message }) => message).join("; ");
        return refused(problem("unprocessable", `${detail}.`, { errors: read.fault }));
      }
      const charges = [...read.value.values()];
      const owners = await findParcelOwners(database, "TRACKING", [...read.value.keys()]);
      const olpnOf = new Map(
        owners.filter((owner) => owner.clientId === clientId).map((owner) => [owner.key, owner.olpnId]),
      );
      const prices = await listPrices(database.of(clientId), [...olpnOf.values()]);
      const priceOf = new Map(prices.map((price) => [price.olpnId, price]));
      return {
        items: charges.map((invoiced): Charge => {
          const found = priceOf.get(olpnOf.get(invoiced.trackingNumber) ?? "");
          const { olpnId = null, orderId = null, decided = null, decidedCurrency = null } = found ?? {};
          return {
            ...invoiced,
            result: resultOf(invoiced, found, tolerancePercent),
            olpnId,
            orderId,
            decided,
            decidedCurrency,
          };
        }),
      };
    },
  );
}

type Invoiced = Pick<Charge, "line" | "trackingNumber" | "invoiced" | "currency">;
type Price = Pick<Charge, "decided" | "decidedCurrency"> & { readonly olpnId: string; readonly orderId: string };

function resultOf({ invoiced, currency }: Invoiced, price: Price | undefined, percent: number): Charge["result"] {
  if (price === undefined) return "UNKNOWN";
  const { decided, decidedCurrency } = price;
  if (decided === null) return "UNPRICED";
  const isNear = Math.abs(invoiced - decided) <= (decided * percent) / 100 + 0.005;
  return isNear && currency === decidedCurrency ? "MATCHED" : "DIFFERENT";
}

/** The price of each parcel: its share where several parcels have one decision. */
export function listPrices(tx: ClientTx, olpnIds: readonly string[]): Promise<Price[]> {
  return tx.query(sql`select p.olpn_id as "olpnId", p.order_id as "orderId", d.choice -> 2 ->> 0 as "decidedCurrency",
        ((d.choice -> 2 ->> 2)::numeric / greatest(1, d.parcels))::float8 as decided
      from parcel p left join lateral (
        select c.decision -> 'choices' -> 0 as choice, coalesce(jsonb_array_length(c.request -> 'parcels'), 1) as parcels
        from carrier_decision c where c.client_id = ${tenant} and c.decision_id = p.decision_id limit 1
      ) d on true
      where p.client_id = ${tenant} and p.olpn_id = any(${olpnIds}::text[]) limit ${linesMax}`);
}

/** The charges by tracking number, or the faults with line and column. */
function readCharges(csv: string): Result<ReadonlyMap<string, Invoiced>, readonly RequestFault[]> {
  const { lines, fault } = readCsv(csv, linesMax + 2);
  const faults: RequestFault[] = [];
  const refuse = (line: number, column: string, message: string) => {
    const place = column === "" ? `line ${line}` : `line ${line}, ${column}`;
    faults.push({ pointer: `#/csv/${line}${column === "" ? "" : `/${column}`}`, message: `${place}: ${message}` });
  };
  const [head, ...rows] = lines;
  const at = (name: string) => head?.cells.findIndex((cell) => cell.toLowerCase() === name.toLowerCase()) ?? -1;
  const [numberAt, amountAt, currencyAt] = [at("trackingNumber"), at("amount"), at("currency")];
  for (const [column, place] of [
    ["trackingNumber", numberAt],
    ["amount", amountAt],
    ["currency", currencyAt],
  ] as const) {
    if (place < 0) refuse(1, column, "the column is missing");
  }
  if (fault) refuse(fault.line, "", fault.message);
  if (rows.length > linesMax) refuse(linesMax + 2, "", `there are more than ${linesMax} charges`);
  if (faults.length > 0) return refused(faults);
  const charges = new Map<string, Invoiced>();
  for (const { line, cells } of rows) {
    const [trackingNumber = "", figure = "", currency = ""] = [cells[numberAt], cells[amountAt], cells[currencyAt]];
    const invoiced = Number(figure.replace(/^(-?\d+),(\d+)$/, "$1.$2"));
    const before = charges.get(trackingNumber);
    if (trackingNumber === "" || trackingNumber.length > 64) refuse(line, "trackingNumber", "1 to 64 characters");
    if (figure === "" || !Number.isFinite(invoiced) || Math.abs(invoiced) >= 1e9)
      refuse(line, "amount", "is no amount");
    if (!isCurrency(currency.toUpperCase())) refuse(line, "currency", "is no currency of ISO 4217");
    else if (before && before.currency !== currency.toUpperCase())
      refuse(line, "currency", "differs from an earlier charge");
    if (faults.length >= faultsMax) break;
    const sum = Math.round(((before?.invoiced ?? 0) + invoiced) * 10_000) / 10_000;
    charges.set(trackingNumber, {
      line: before?.line ?? line,
      trackingNumber,
      invoiced: sum,
      currency: currency.toUpperCase(),
    });
  }
  return faults.length > 0 ? refused(faults) : ok(charges);
}
