/** What comes in: purchase orders, returns and assembled goods, from release until all of it is booked. Pure. */
import { draw, reportName } from "#/roles/warehouse-sim/draw.ts";
import type { IntakeJob, Outcome, World } from "#/roles/warehouse-sim/job.ts";
import { type Item, type Report, type TaskLine, thousandths } from "#/roles/warehouse-sim/port.ts";

export type IntakePhase = "accept" | "receive" | "take back" | "assemble";

/** Seconds before each report at speed 1. */
export const intakePauses: Readonly<Record<IntakePhase, number>> = {
  accept: 2,
  receive: 12,
  "take back": 10,
  assemble: 8,
};

const phases = { PURCHASE_ORDER: "receive", RETURN: "take back", WORK_ORDER: "assemble" } as const;

export function phaseOfIntake(job: IntakeJob): IntakePhase {
  return job.isAccepted ? phases[job.kind] : "accept";
}

/** Undefined where nothing of it can be reported yet: units with serials come back only after they have left. */
export function composeForIntake(job: IntakeJob, phase: IntakePhase, world: World): Report | undefined {
  const { clientId, objectId, taskId } = job;
  const named = (action: string, body: Record<string, unknown>) => reportName(action, clientId, objectId, body);
  switch (phase) {
    case "accept":
      return { action: phase, path: "/task/accept", body: { taskIds: [taskId] } };
    case "receive": {
      const [poNumber, vendorOrderId] = objectId.split("/");
      const body = {
        ...{ clientId, poNumber },
        ...(vendorOrderId === undefined ? {} : { vendorOrderId }),
        lines: job.lines.flatMap((line) => receiptLines(job, line, world)),
        closeOrder: false,
      };
      return { action: phase, path: "/goodsReceipt/report", body: { ...body, receiptId: named("receipt", body) } };
    }
    case "take back": {
      const body = { clientId, rmaNumber: objectId, lines: returnLines(job, world) };
      if (body.lines.length === 0) return undefined;
      // A returnId names the return; what a repeat is known by is the reportId.
      const name = named("return", body);
      return { action: phase, path: "/return/report", body: { ...body, returnId: name, reportId: name } };
    }
    case "assemble": {
      const body = { clientId, workOrderId: objectId, finishedGood: finishedGood(job, world) };
      return { action: phase, path: "/workOrder/report", body: { ...body, reportId: named("assembly", body) } };
    }
  }
}

/** A part of a damaged line, at least a unit. */
const damagedShare = 0.1;
/** One report names so many serials of a line at the most; the rest of the line comes with the next one. */
const serialsMax = 1_000;

function receiptLines(job: IntakeJob, line: TaskLine, world: World): Record<string, unknown>[] {
  const { lineNumber, sku, qty, stockPool } = line;
  const isSerial = world.findItem(job.clientId, sku)?.captureSerial === true;
  const whole = isSerial ? Math.min(qty, serialsMax) : qty;
  const isHurt = draw(world.seed, job.clientId, job.objectId, "damage", lineNumber) < world.faults.damage;
  const hurt = isHurt ? Math.min(whole, Math.max(1, Math.floor(whole * damagedShare))) : 0;
  const good = (thousandths(whole) - thousandths(hurt)) / 1000;
  const lot = lotOf(job, line, world);
  const prefix = serialPrefix(job, line);
  return [
    { qty: good, condition: "GOOD", from: 0 },
    { qty: hurt, condition: "DAMAGED", from: good },
  ]
    .filter((part) => part.qty > 0)
    .map(({ from, ...part }) => ({
      ...{ lineNumber, sku, ...part },
      ...(stockPool === undefined ? {} : { stockPool }),
      ...lot,
      ...(isSerial ? { serials: serialsFrom(prefix, from, part.qty) } : {}),
    }));
}

function returnLines(job: IntakeJob, world: World): Record<string, unknown>[] {
  return job.lines.flatMap((line) => {
    const { lineNumber, sku, stockPool } = line;
    const isHurt = draw(world.seed, job.clientId, job.objectId, "disposition", lineNumber) < world.faults.damage;
    const isSerial = world.findItem(job.clientId, sku)?.captureSerial === true;
    const serials = isSerial ? world.serials.listLeft(job.clientId, sku, line.qty) : undefined;
    const qty = serials?.length ?? line.qty;
    if (qty === 0) return [];
    return [
      {
        ...{ lineNumber, sku, qty, disposition: isHurt ? "DAMAGED" : "RESELLABLE" },
        ...(isHurt ? { note: "scratched" } : {}),
        ...(stockPool === undefined ? {} : { stockPool }),
        ...lotOf(job, line, world),
        ...(serials ? { serials } : {}),
      },
    ];
  });
}

/**
 * The task names the components and not what is made of them, so one piece is made first; the answer says how many are left,
 * and they follow together. What the finished good captures is not known either: it is given when the port asks for it.
 */
function finishedGood(job: IntakeJob, world: World): Record<string, unknown> {
  const qty = job.piecesLeft ?? 1;
  const line: TaskLine = { lineNumber: 0, sku: "", qty };
  const lot = lotOf(job, line, { ...world, findItem: () => capturing(job.refusals) });
  const serials = job.refusals > 1 ? { serials: serialsFrom(serialPrefix(job, line), 0, qty) } : {};
  return { qty, ...lot, ...serials };
}

/** After a first refusal batch and expiry are named, after a second one serials besides. */
function capturing(refusals: number): Item {
  const isAsked = refusals > 0;
  return { clientId: "", sku: "", captureBatchRef: isAsked, captureExpiry: isAsked };
}

const dayMs = 86_400_000;

/** The lot as the task names it, or one made up where the item captures what is not named. */
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

/** Serials of a line: `SN-1f3a09…-1` onwards; what is left of the line later has others. */
function serialPrefix({ clientId, objectId }: IntakeJob, { lineNumber, qty }: TaskLine): string {
  return `SN-${reportName("", clientId, objectId, lineNumber, qty).slice(-12)}-`;
}

function serialsFrom(prefix: string, from: number, count: number): string[] {
  return Array.from({ length: count }, (_, i) => `${prefix}${from + i + 1}`);
}

/**
 * What was booked is for the task to say: the port answers with a new version of it, or withdraws it.
 * @param answer what the port answered to the report.
 */
export function settleIntake(
  job: IntakeJob,
  { action, body }: Report,
  answer: Readonly<Record<string, unknown>>,
  world: World,
): Outcome {
  if (action === "accept") return { job: isTaken(answer) ? { ...job, isAccepted: true } : undefined };
  if (job.kind === "WORK_ORDER") return { job: stillToMake(job, answer) };
  shelve(job, body.lines as readonly BookedLine[], world);
  return { job: undefined };
}

/** Did the port take the acceptance of a task? Withdrawn ones it does not. */
export function isTaken({ results }: Readonly<Record<string, unknown>>): boolean {
  const [result] = Array.isArray(results) ? (results as readonly { readonly status?: unknown }[]) : [];
  return result?.status === "ACCEPTED";
}

function stillToMake(
  job: IntakeJob,
  { qtyOrdered, qtyCompleted }: Readonly<Record<string, unknown>>,
): IntakeJob | undefined {
  if (typeof qtyOrdered !== "number" || typeof qtyCompleted !== "number") return undefined;
  const piecesLeft = (thousandths(qtyOrdered) - thousandths(qtyCompleted)) / 1000;
  return piecesLeft > 0 ? { ...job, piecesLeft } : undefined;
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
      serials.comeBack(clientId, sku, booked);
      if (isSellable) serials.giveBack(clientId, sku, booked);
    } else if (isSellable) {
      serials.put(clientId, sku, first.slice(0, first.lastIndexOf("-") + 1), booked.length);
    }
  }
}
