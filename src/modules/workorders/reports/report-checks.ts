import { assert } from "#/kernel/assert.ts";
import { conflict, type Refusal, type RequestFault, unprocessable } from "#/kernel/refusal.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";
import { faultsOfLot, type ItemRules } from "#/modules/catalogue/index.ts";
import { type Book, type LotFields, listSerials, lotsOfSerials } from "#/modules/inventory/index.ts";
import { thousandthsOf } from "#/modules/workorders/check-work-order.ts";
import { hasEnded, stateAfter, type WorkOrder } from "#/modules/workorders/domain.ts";
import { backflushUses, scrap, type Use } from "#/modules/workorders/stock/consumption.ts";
import type { ClientTx } from "#/store/db/database.ts";

interface ReportedLot extends LotFields {
  /** A JSON number in the stock unit. */
  readonly qty: number;
  readonly serials?: readonly string[] | undefined;
}

/** A body of `POST /workOrder/report` (warehouse.md). */
export interface WorkOrderReport {
  readonly workOrderId: string;
  readonly finishedGood?: ReportedLot | undefined;
  readonly components?:
    | readonly (ReportedLot & { readonly sku: string; readonly reason?: string | undefined })[]
    | undefined;
  readonly close?: boolean | undefined;
  readonly occurredAt?: string | undefined;
}

/** The checks that need no stock: quantity, kind of consumption and state. */
export function checkReport(
  workOrder: WorkOrder,
  { finishedGood, components: lines = [], close = false }: WorkOrderReport,
): Result<{ readonly finished: number; readonly status: WorkOrder["status"] }, Refusal> {
  const { workOrderId, consumption } = workOrder;
  if (!finishedGood && lines.length === 0 && !close) {
    return refused(
      unprocessable(`The report on work order ${workOrderId} is empty: send finishedGood, components or close.`),
    );
  }
  const other = consumption === "BACKFLUSH" ? lines.find(({ reason }) => reason !== scrap) : undefined;
  if (other) {
    return refused(
      conflict(
        `Work order ${workOrderId} consumes by BACKFLUSH: component ${other.sku} may be reported with reason ${scrap} only.`,
      ),
    );
  }
  const finished = finishedGood ? (thousandthsOf(finishedGood.qty) ?? 0) : 0;
  const isFinished = workOrder.completed + finished >= workOrder.ordered;
  const status = stateAfter(workOrder.status, { type: "report", isFinished, isClosed: close });
  if (status === undefined) {
    const remedy = hasEnded(workOrder.status)
      ? "nothing more can be reported on it"
      : "reports are possible when all its components are reserved";
    return refused(conflict(`Work order ${workOrderId} is ${workOrder.status}: ${remedy}.`));
  }
  return ok({ finished, status });
}

/** The faults of reported quantities and lots by their items. */
export function faultsOfLots(
  workOrder: WorkOrder,
  { finishedGood, components: lines = [] }: WorkOrderReport,
  rules: ReadonlyMap<string, ItemRules>,
): RequestFault[] {
  const faultsOf = (pointer: string, sku: string, line: ReportedLot): RequestFault[] => {
    const qty = thousandthsOf(line.qty);
    if (qty === undefined || qty <= 0) {
      const message = `the quantity ${line.qty} of SKU ${sku} is not above 0 with at most three decimals`;
      return [{ pointer: `${pointer}/qty`, message }];
    }
    const itemRules = rules.get(sku);
    const faults = itemRules === undefined ? [] : faultsOfLot(itemRules, qty, line);
    return faults.map(({ field, message }) => ({ pointer: `${pointer}/${field}`, message }));
  };
  return [
    ...(finishedGood ? faultsOf("#/finishedGood", workOrder.finishedGoodSku, finishedGood) : []),
    ...lines.flatMap((line, i) =>
      workOrder.components.some(({ sku }) => sku === line.sku)
        ? faultsOf(`#/components/${i}`, line.sku, line)
        : [{ pointer: `#/components/${i}/sku`, message: `SKU ${line.sku} is not one of its components` }],
    ),
  ];
}

/** The consumption of the report: by the recipe, or as reported. Refused if a serial number is invalid. */
export async function usesOf(
  tx: ClientTx,
  book: Book,
  workOrder: WorkOrder,
  { components: lines = [] }: WorkOrderReport,
  finished: number,
  rules: ReadonlyMap<string, ItemRules>,
): Promise<Result<readonly Use[], Refusal>> {
  const uses: Use[] = workOrder.consumption === "BACKFLUSH" ? backflushUses(workOrder, finished) : [];
  const unknowable = uses.find(({ component }) => rules.get(component.sku)?.captureSerial);
  if (unknowable) {
    const { sku } = unknowable.component;
    return refused(
      conflict(
        `Work order ${workOrder.workOrderId} consumes by BACKFLUSH, but component ${sku} now has serial numbers: close the work ` +
          "order, and create one with consumption REPORTED.",
      ),
    );
  }
  const seen = new Set<string>();
  for (const line of lines) {
    const component = workOrder.components.find(({ sku }) => sku === line.sku);
    assert(component, `${line.sku} was found among the components before`);
    const { stockPool, batchRef, expiryDate, serials = [] } = line;
    const twice = serials.find((serial) => seen.has(JSON.stringify([line.sku, serial])));
    if (twice !== undefined) return refused(conflict(`Serial ${twice} of SKU ${line.sku} is in the report twice.`));
    for (const serial of serials) seen.add(JSON.stringify([line.sku, serial]));
    const isNamed = stockPool !== undefined || batchRef !== undefined || expiryDate !== undefined;
    const serialLots = await lotsOfSerials(tx, book, line.sku, serials, { stockPool, batchRef, expiryDate });
    if (!serialLots.ok) return serialLots;
    uses.push({
      component,
      qty: thousandthsOf(line.qty) as number,
      reason: line.reason,
      named: isNamed ? { stockPool, batchRef, expiryDate } : undefined,
      serialLots: serialLots.value,
    });
  }
  return ok(uses);
}

/** Refused if a finished good has the serial number of a unit in stock. */
export async function refusalOfNewSerials(
  tx: ClientTx,
  sku: string,
  serials: readonly string[],
): Promise<Refusal | undefined> {
  const there = (await listSerials(tx, sku, serials)).find(({ state }) => state === "IN_STOCK");
  return there && conflict(`Serial ${there.serial} of SKU ${sku} is in stock already; correct the serial.`);
}
