/** Requested counts, from their release until their report. Pure. */
import { quantityOf } from "#/kernel/values/quantity.ts";
import { draw, reportName } from "#/sandbox/simulator/draw.ts";
import type { CountJob, Life, ShelfLot, World } from "#/sandbox/simulator/job.ts";
import type { TaskLine } from "#/sandbox/simulator/port.ts";

type CountPhase = "accept" | "look" | "count";

/** Seconds before each report at speed 1. */
const pauses: Readonly<Record<CountPhase, number>> = { accept: 2, look: 4, count: 1 };

const nextSku = ({ lines, seen }: CountJob) => lines.find(({ sku }) => !seen.includes(sku))?.sku;

export const countLife: Life<CountJob, CountPhase> = {
  /** A blind task has no quantities: the shelf of each SKU is seen before the report. */
  next(job) {
    const step = !job.isAccepted ? "accept" : nextSku(job) === undefined ? "count" : "look";
    return { step, afterSeconds: pauses[step] };
  },
  compose(job, phase, world, atMs) {
    const { clientId, objectId } = job;
    if (phase === "look") {
      const sku = nextSku(job) ?? "";
      const path = `/stock/get/${encodeURIComponent(sku)}?clientId=${encodeURIComponent(clientId)}`;
      // Later picks and receipts are not a difference.
      return { action: phase, path, body: { sku, seenAt: new Date(atMs).toISOString() }, isRead: true };
    }
    const lines = job.lines.map((line) => countedLine(job, line, world));
    const body = { clientId, countId: objectId, includesStaged: true, occurredAt: job.seenAt, lines };
    const reportId = reportName("count", clientId, objectId, job.taskVersion, lines);
    return { action: phase, path: "/count/report", body: { ...body, reportId } };
  },
  settle(job, { action, body }, answer) {
    if (action !== "look") return { job: undefined };
    const sku = String(body.sku);
    const lots = Array.isArray(answer.lots) ? (answer.lots as readonly Omit<ShelfLot, "sku">[]) : [];
    const shelf = lots.map(
      ({ stockPool, condition, batchRef, expiryDate, qty, serials }): ShelfLot => ({
        sku,
        stockPool,
        condition,
        batchRef,
        expiryDate,
        qty,
        serials,
      }),
    );
    return {
      job: { ...job, seen: [...job.seen, sku], shelf: [...job.shelf, ...shelf], seenAt: String(body.seenAt) },
    };
  },
};

/** Missing share of a line that the fault `shortPick` draws: more than any tolerance by default. */
const missingShare = 0.05;

function countedLine(job: CountJob, line: TaskLine, world: World): Record<string, unknown> {
  const { lineNumber, sku, stockPool = "DEFAULT", condition = "GOOD", batchRef, expiryDate } = line;
  const isHere = (lot: ShelfLot) =>
    lot.sku === sku &&
    lot.stockPool === stockPool &&
    lot.condition === condition &&
    lot.batchRef === (batchRef ?? null) &&
    lot.expiryDate === (expiryDate ?? null);
  const lot = job.shelf.find(isHere);
  const qty = lot?.qty ?? 0;
  const isSerial = world.findItem(job.clientId, sku)?.captureSerial === true;
  const isLess = draw(world.seed, job.clientId, job.objectId, "count", lineNumber) < world.faults.shortPick;
  const missing = isLess && !isSerial ? Math.min(qty, Math.max(2, Math.ceil(qty * missingShare))) : 0;
  return {
    sku,
    stockPool,
    condition,
    countedQty: (quantityOf(qty) - quantityOf(missing)) / 1000,
    ...(batchRef === undefined ? {} : { batchRef }),
    ...(expiryDate === undefined ? {} : { expiryDate }),
    ...(isSerial ? { serials: lot?.serials ?? [] } : {}),
  };
}
