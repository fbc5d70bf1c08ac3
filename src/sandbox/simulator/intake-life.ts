/** Purchase orders, returns, assembled goods and transfers, from release until everything is booked. Pure. */

import { dayMs } from "#/kernel/values/durations.ts";
import { quantityOf } from "#/kernel/values/quantity.ts";
import { draw, reportName } from "#/sandbox/simulator/draw.ts";
import type { IntakeJob, Life, World } from "#/sandbox/simulator/job.ts";
import type { FinishedGood, TaskLine } from "#/sandbox/simulator/port.ts";

type IntakePhase = "accept" | "receive" | "take back" | "assemble" | "ship";

/** Seconds before each report at speed 1. */
const pauses: Readonly<Record<IntakePhase, number>> = {
  accept: 2,
  receive: 12,
  // An order that was just sent must be delivered before it comes back.
  "take back": 40,
  assemble: 8,
  ship: 10,
};

const phases = { PURCHASE_ORDER: "receive", RETURN: "take back", WORK_ORDER: "assemble", TRANSFER: "ship" } as const;

export const intakeLife: Life<IntakeJob, IntakePhase> = {
  /** A work order waits until its task lists the remaining quantity. */
  next(job) {
    if (job.kind === "WORK_ORDER" && !job.finishedGood) return undefined;
    const step = job.isAccepted ? phases[job.kind] : "accept";
    return { step, afterSeconds: pauses[step] };
  },
  compose(job, phase, world) {
    const { clientId, objectId } = job;
    const named = (action: string, body: Record<string, unknown>) =>
      reportName(action, clientId, objectId, job.taskVersion, body);
    switch (phase) {
      case "receive": {
        const [poNumber, vendorOrderId] = objectId.split("/");
        const body = {
          clientId,
          poNumber,
          ...(vendorOrderId === undefined ? {} : { vendorOrderId }),
          lines: job.lines.flatMap((line) => receiptLines(job, line, world)),
          closeOrder: false,
        };
        return { action: phase, path: "/goodsReceipt/report", body: { ...body, receiptId: named("receipt", body) } };
      }
      case "take back": {
        const lines = returnLines(job, world);
        // Units with serials come back only after they have left.
        if (lines.length === 0) return undefined;
        // Units with serials that have not come yet keep the return open.
        const isWhole = job.lines.every(({ lineNumber, qty }) =>
          lines.some((line) => line.lineNumber === lineNumber && line.qty === qty),
        );
        const body = { clientId, rmaNumber: objectId, lines, ...(isWhole ? { close: true } : {}) };
        // A returnId names the return; a repeat is recognised by its reportId.
        const name = named("return", body);
        return { action: phase, path: "/return/report", body: { ...body, returnId: name, reportId: name } };
      }
      case "assemble": {
        if (!job.finishedGood) return undefined;
        const body = { clientId, workOrderId: objectId, ...assembly(job, job.finishedGood, world) };
        return { action: phase, path: "/workOrder/report", body: { ...body, reportId: named("assembly", body) } };
      }
      case "ship": {
        const body = { clientId, transferId: objectId, lines: job.lines.map((line) => shippedLine(job, line, world)) };
        return { action: phase, path: "/transfer/report", body: { ...body, reportId: named("shipment", body) } };
      }
    }
  },
  /** The task reports the booked quantities: the port answers with a new version of it, or withdraws it. */
  settle(job, { body }, _answer, world) {
    if (job.kind === "WORK_ORDER") {
      const { finishedGood, ...rest } = job;
      shelve(job, [{ sku: finishedGood?.sku ?? "", ...(body.finishedGood as object) }], world);
      return { job: { ...rest, isBegun: true } };
    }
    if (job.kind !== "TRANSFER") shelve(job, body.lines as readonly BookedLine[], world);
    return { job: undefined };
  },
};

/** Damaged share of a line, at least one unit. */
const damagedShare = 0.1;
/** More than any client accepts without an exception. */
const excessShare = 0.25;
/** A report names at most this many serials of a line. The rest comes with the next report. */
const serialsMax = 1_000;

function receiptLines(job: IntakeJob, line: TaskLine, world: World): Record<string, unknown>[] {
  const { lineNumber, sku, qty, stockPool } = line;
  const isSerial = world.findItem(job.clientId, sku)?.captureSerial === true;
  const whole = isSerial ? Math.min(qty, serialsMax) : qty;
  const isHurt = draw(world.seed, job.clientId, job.objectId, "damage", lineNumber) < world.faults.damage;
  const hurt = isHurt ? Math.min(whole, Math.max(1, Math.floor(whole * damagedShare))) : 0;
  const isMore = draw(world.seed, job.clientId, job.objectId, "over", lineNumber) < world.faults.overReceipt;
  const more = isMore && !isSerial ? Math.max(1, Math.ceil(whole * excessShare)) : 0;
  const good = (quantityOf(whole) - quantityOf(hurt) + quantityOf(more)) / 1000;
  const lot = lotOf(job, line, world);
  const prefix = serialPrefix(job, line);
  return [
    { qty: good, condition: "GOOD", from: 0 },
    { qty: hurt, condition: "DAMAGED", from: good },
  ]
    .filter((part) => part.qty > 0)
    .map(({ from, ...part }) => ({
      lineNumber,
      sku,
      ...part,
      ...(stockPool === undefined ? {} : { stockPool }),
      ...lot,
      ...(isSerial ? { serials: serialsFrom(prefix, from, part.qty) } : {}),
    }));
}

/** The reserved lot, with units of the shelf. */
function shippedLine({ clientId }: IntakeJob, line: TaskLine, world: World): Record<string, unknown> {
  const { lineNumber: _, uom: _uom, ...goods } = line;
  const isSerial = world.findItem(clientId, line.sku)?.captureSerial === true;
  return { ...goods, ...(isSerial ? { serials: world.serials.take(clientId, line.sku, line.qty) } : {}) };
}

function returnLines(job: IntakeJob, world: World): Record<string, unknown>[] {
  return job.lines.flatMap((line) => {
    const { lineNumber, sku, stockPool } = line;
    const isHurt = draw(world.seed, job.clientId, job.objectId, "disposition", lineNumber) < world.faults.damage;
    const isSerial = world.findItem(job.clientId, sku)?.captureSerial === true;
    const serials = isSerial ? world.serials.takeLeft(job.clientId, sku, line.qty) : undefined;
    const qty = serials?.length ?? line.qty;
    if (qty === 0) return [];
    return [
      {
        lineNumber,
        sku,
        qty,
        disposition: isHurt ? "DAMAGED" : "RESELLABLE",
        ...(isHurt ? { note: "scratched" } : {}),
        ...(stockPool === undefined ? {} : { stockPool }),
        ...lotOf(job, line, world),
        ...(serials ? { serials } : {}),
      },
    ];
  });
}

/** Assembles half first, so that a work order is seen in progress, then the rest. */
function assembly(job: IntakeJob, toMake: FinishedGood, world: World): Record<string, unknown> {
  const { clientId } = job;
  const isSerial = (sku: string) => world.findItem(clientId, sku)?.captureSerial === true;
  const { sku, qty: left, consumption } = toMake;
  const most = isSerial(sku) ? Math.min(left, serialsMax) : left;
  const qty = job.isBegun ? most : Math.min(most, Math.ceil(left / 2));
  const line: TaskLine = { lineNumber: 0, sku, qty: left };
  const serials = isSerial(sku) ? { serials: serialsFrom(serialPrefix(job, line), 0, qty) } : {};
  const finishedGood = { qty, ...lotOf(job, line, world), ...serials };
  if (consumption === "BACKFLUSH") return { finishedGood };
  const components = job.lines.flatMap(({ lineNumber: _, uom, qty: reserved, ...of }) => {
    const share = (reserved * qty) / left;
    const used = uom === "EA" ? Math.floor(share) : Math.floor(share * 1000) / 1000;
    if (used === 0) return [];
    return [{ ...of, qty: used, ...(isSerial(of.sku) ? { serials: world.serials.take(clientId, of.sku, used) } : {}) }];
  });
  return { finishedGood, ...(components.length > 0 ? { components } : {}) };
}

/** The lot of the task, with made-up values for what the item captures and the task does not name. */
function lotOf(job: IntakeJob, line: TaskLine, { seed, findItem }: World): Record<string, unknown> {
  const item = findItem(job.clientId, line.sku);
  const drawn = draw(seed, job.clientId, job.objectId, "lot", line.lineNumber);
  const days = (item?.minShelfLifeDays ?? 0) + 180 + Math.floor(drawn * 360);
  const batchRef = line.batchRef ?? (item?.captureBatchRef ? `B-${serialPrefix(job, line).slice(3, 9)}` : undefined);
  const expiryDate =
    line.expiryDate ??
    (item?.captureExpiry ? new Date(Date.parse(job.releasedAt) + days * dayMs).toISOString().slice(0, 10) : undefined);
  return { ...(batchRef ? { batchRef } : {}), ...(expiryDate ? { expiryDate } : {}) };
}

/** Serials of a line: `SN-1f3a09…-1` onwards. The rest of the line gets other serials later. */
function serialPrefix({ clientId, objectId }: IntakeJob, { lineNumber, qty }: TaskLine): string {
  return `SN-${reportName("", clientId, objectId, lineNumber, qty).slice(-12)}-`;
}

function serialsFrom(prefix: string, from: number, count: number): string[] {
  return Array.from({ length: count }, (_, i) => `${prefix}${from + i + 1}`);
}

interface BookedLine {
  readonly sku: string;
  readonly condition?: string;
  readonly disposition?: string;
  readonly serials?: readonly string[];
}

function shelve({ kind, clientId }: IntakeJob, lines: readonly BookedLine[], { serials }: World): void {
  for (const { sku, condition = "GOOD", disposition = "RESELLABLE", serials: booked = [] } of lines) {
    const [first] = booked;
    if (first === undefined) continue;
    const isSellable = condition === "GOOD" && disposition === "RESELLABLE";
    if (kind === "RETURN") {
      if (isSellable) serials.giveBack(clientId, sku, booked);
    } else if (isSellable) {
      serials.put(clientId, sku, first.slice(0, first.lastIndexOf("-") + 1), booked.length);
    }
  }
}
