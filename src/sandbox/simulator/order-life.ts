/** The life of an order in the simulated warehouse, from its release until its parcels are on a vehicle. Pure. */
import { assert } from "#/kernel/assert.ts";
import { quantityOf } from "#/kernel/values/quantity.ts";
import { draw, reportName } from "#/sandbox/simulator/draw.ts";
import type { Content, Life, OrderJob, ParcelJob, World } from "#/sandbox/simulator/job.ts";
import type { Report, TaskLine } from "#/sandbox/simulator/port.ts";

type OrderPhase = "cancel" | "accept" | "pick" | "pack" | "load" | "despatch";

/** Seconds before each report at speed 1: with the carrier's 14, an order is delivered some 35 s after its release. */
const pauses: Readonly<Record<OrderPhase, number>> = {
  cancel: 2,
  accept: 2,
  pick: 5,
  pack: 6,
  load: 4,
  despatch: 4,
};

/** The next phase; undefined while there is nothing to do or the order is held. */
export function phaseOfOrder(job: OrderJob): OrderPhase | undefined {
  if (job.cancelRequest) return "cancel";
  if (job.isHeld) return undefined;
  if (job.toPick.length > 0) return job.isAccepted ? "pick" : "accept";
  if (job.picked.length > 0) return "pack";
  if (job.parcels.some(({ isLoaded }) => !isLoaded)) return "load";
  return job.parcels.length > 0 ? "despatch" : undefined;
}

export const orderLife: Life<OrderJob, OrderPhase> = {
  next(job) {
    const step = phaseOfOrder(job);
    return step && { step, afterSeconds: pauses[step] };
  },
  compose(job, phase, world) {
    const { clientId, objectId: orderId } = job;
    const report = (body: Record<string, unknown>): Report => {
      const reportId = reportName(phase, clientId, orderId, job.taskVersion, job.parcelsGone, body);
      return { action: phase, path: `/${phase}/report`, body: { clientId, ...body, reportId } };
    };
    switch (phase) {
      case "pick":
        return report({ orderId, lines: job.toPick.map((line) => pickLine(job, line, world)) });
      case "pack":
        return report({ orderId, olpns: parcelsOf(job, world) });
      case "load": {
        const olpnIds = job.parcels.filter(({ isLoaded }) => !isLoaded).map(({ olpnId }) => olpnId);
        return report({ loadId: loadIdOf(job), olpnIds, vehicle: "SIM VAN" });
      }
      case "despatch":
        return report({ loadId: loadIdOf(job) });
      case "cancel":
        return report({ orderId, lines: cancelLines(job) });
    }
  },
  settle(job, { action, body }, answer, world) {
    switch (action as Exclude<OrderPhase, "accept">) {
      case "pick":
        return { job: settlePick(job, body.lines as readonly PickLine[]) };
      case "pack":
        return { job: settlePack(job, body.olpns as readonly PackedParcel[], answer.olpns) };
      case "load": {
        const loaded = new Set(body.olpnIds as readonly string[]);
        const parcels = job.parcels.map((p) => (loaded.has(p.olpnId) ? { ...p, isLoaded: true } : p));
        return { job: { ...job, parcels } };
      }
      case "despatch": {
        const { clientId, objectId: orderId, parcels, parcelsGone } = job;
        for (const { serials = [] } of parcels)
          for (const left of serials) world.serials.leave(clientId, left.sku, left.serials);
        const base = { kind: "parcel", clientId, orderId, reported: 0, dueAtMs: 0, refusals: 0 } as const;
        const more = parcels.map(
          ({ olpnId }, i): ParcelJob => ({ ...base, objectId: olpnId, ordinal: parcelsGone + i }),
        );
        return { job: { ...job, parcels: [], parcelsGone: parcelsGone + more.length }, more };
      }
      case "cancel":
        return { job: settleCancel(job, body.lines as readonly CancelLine[]) };
    }
  },
};

/** One vehicle for each order and wave. A real vehicle waits for more orders. */
function loadIdOf({ clientId, objectId, parcels }: OrderJob): string {
  return reportName("load", clientId, objectId, parcels[0]?.olpnId).replace("sim-load", "SIM");
}

function pickLine(job: OrderJob, line: TaskLine, { seed, faults, serials, findItem }: World): Record<string, unknown> {
  const { clientId, objectId } = job;
  const { lineNumber, sku, qty, stockPool, batchRef, expiryDate } = line;
  const isShort = draw(seed, clientId, objectId, "short", lineNumber, qty, job.taskVersion ?? 1) < faults.shortPick;
  const missing = isShort ? Math.min(qty, 1) : 0;
  const qtyPicked = (quantityOf(qty) - quantityOf(missing)) / 1000;
  const isSerial = findItem(clientId, sku)?.captureSerial === true && qtyPicked > 0;
  const isWrong = job.refusals === 0 && !isSerial && draw(seed, clientId, objectId, "wrong") < faults.refusedReport;
  return {
    lineNumber,
    // One unit too many. The port rejects it, and the corrected report follows.
    qtyPicked: isWrong ? qtyPicked + 1 : qtyPicked,
    ...(isShort ? { qtyShort: missing } : {}),
    ...(stockPool === undefined ? {} : { stockPool }),
    ...(batchRef === undefined ? {} : { batchRef }),
    ...(expiryDate === undefined ? {} : { expiryDate }),
    ...(isSerial ? { serials: serials.take(clientId, sku, qtyPicked) } : {}),
  };
}

/** Maximum units per parcel. It is small, so that a large order has several parcels. */
const unitsInParcelMax = 20;
const parcelsMax = 50;
/** Weight of the carton, and of an item with unknown weight. */
const cartonKg = 0.2;
const unknownItemKg = 0.5;

function parcelsOf(job: OrderJob, { findItem, seed }: World): Record<string, unknown>[] {
  const { clientId, picked } = job;
  const units = picked.reduce((sum, { qty }) => sum + quantityOf(qty), 0);
  const parcelMax = Math.max(unitsInParcelMax * 1000, Math.ceil(units / parcelsMax / 1000) * 1000);
  const parcels: { contents: Content[]; room: number }[] = [];
  for (const content of picked) {
    let left = quantityOf(content.qty);
    let from = 0;
    while (left > 0) {
      let parcel = parcels.at(-1);
      if (!parcel || parcel.room < Math.min(left, 1000)) {
        parcel = { contents: [], room: parcelMax };
        parcels.push(parcel);
      }
      // A piece is not split because another item is sold by the metre.
      const some = left <= parcel.room ? left : Math.floor(parcel.room / 1000) * 1000;
      const serials = content.serials?.slice(from, from + some / 1000);
      parcel.contents.push({ ...content, qty: some / 1000, ...(serials ? { serials } : {}) });
      parcel.room -= some;
      left -= some;
      from += some / 1000;
    }
  }
  const firstOrdinal = job.parcelsGone + job.parcels.length;
  return parcels.map(({ contents }, i) => {
    const weight = contents.reduce(
      (sum, { sku, qty }) => sum + qty * (findItem(clientId, sku)?.weightKg ?? unknownItemKg),
      cartonKg,
    );
    return {
      weight: Math.max(1, Math.round(weight * 1000)) / 1000,
      weightUomCode: "KG",
      ...(job.hasBoughtLabel ? {} : { trackingNumber: trackingNumberOf(job, firstOrdinal + i, seed) }),
      contents: contents.map(({ sku: _, ...content }) => content),
    };
  });
}

/** A tracking number as a carrier assigns it. With it, the parcel can be followed on the carrier's page. */
function trackingNumberOf({ clientId, objectId, taskVersion = 0 }: OrderJob, ordinal: number, seed: string): string {
  const drawn = draw(seed, clientId, objectId, taskVersion, ordinal, "tracking number");
  return `SIM${String(Math.floor(drawn * 1e12)).padStart(12, "0")}`;
}

function cancelLines({ cancelRequest = [], parcels, isCancelTooLate }: OrderJob): Record<string, unknown>[] {
  const packed = new Set(parcels.flatMap(({ lineNumbers }) => lineNumbers));
  return cancelRequest.map(({ lineNumber }) => ({
    lineNumber,
    outcome: isCancelTooLate || packed.has(lineNumber) ? "TOO_LATE" : "CANCELLED",
  }));
}

interface PickLine {
  readonly lineNumber: number;
  readonly qtyPicked: number;
  readonly batchRef?: string;
  readonly serials?: readonly string[];
}

function settlePick(job: OrderJob, lines: readonly PickLine[]): OrderJob {
  const picked = lines
    .filter(({ qtyPicked }) => qtyPicked > 0)
    .map(({ lineNumber, qtyPicked, batchRef, serials }): Content => {
      const line = job.toPick.find((taskLine) => taskLine.lineNumber === lineNumber);
      const sku = line?.sku ?? "";
      return { lineNumber, sku, qty: qtyPicked, ...(batchRef ? { batchRef } : {}), ...(serials ? { serials } : {}) };
    });
  // A short line comes back as a separate task when other stock exists.
  return { ...job, isAccepted: true, toPick: [], picked: merged([...job.picked, ...picked]) };
}

/** Merges content with the same line and batch. A parcel's content has no other fields of the lot. */
function merged(contents: readonly Content[]): Content[] {
  const byName = Map.groupBy(contents, ({ lineNumber, batchRef }) => JSON.stringify([lineNumber, batchRef]));
  return [...byName.values()].map((same) => {
    const qty = same.reduce((sum, content) => sum + quantityOf(content.qty), 0) / 1000;
    const serials = same.flatMap((content) => content.serials ?? []);
    return { ...(same[0] as Content), qty, ...(serials.length > 0 ? { serials } : {}) };
  });
}

interface PackedParcel {
  readonly contents: readonly Content[];
}

function settlePack(job: OrderJob, sent: readonly PackedParcel[], answered: unknown): OrderJob {
  const olpns = Array.isArray(answered) ? (answered as readonly { readonly olpnId?: unknown }[]) : [];
  const parcels = sent.map(({ contents }, i) => {
    const olpnId = olpns[i]?.olpnId;
    assert(typeof olpnId === "string", "the answer to a pack names an OLPN for each parcel, in their order");
    const skuOf = new Map(job.picked.map(({ lineNumber, sku }) => [lineNumber, sku]));
    const serials = contents.flatMap(({ lineNumber, serials }) =>
      serials ? [{ sku: skuOf.get(lineNumber) ?? "", serials }] : [],
    );
    const lineNumbers = contents.map(({ lineNumber }) => lineNumber);
    return { olpnId, isLoaded: false, lineNumbers, ...(serials.length > 0 ? { serials } : {}) };
  });
  return { ...job, picked: [], parcels: [...job.parcels, ...parcels] };
}

interface CancelLine {
  readonly lineNumber: number;
  readonly outcome: "CANCELLED" | "TOO_LATE";
}

function settleCancel(job: OrderJob, lines: readonly CancelLine[]): OrderJob {
  const { cancelRequest = [], ...rest } = job;
  const gone = new Map<number, number>();
  for (const { lineNumber, outcome } of lines) {
    const request = cancelRequest.find((line) => line.lineNumber === lineNumber);
    if (outcome === "CANCELLED" && request) gone.set(lineNumber, quantityOf(request.qty));
  }
  // Quantities not picked yet are cancelled first, as the platform counts them.
  const without = <
    Line extends { readonly lineNumber: number; readonly qty: number; readonly serials?: readonly string[] },
  >(
    line: Line,
  ): Line[] => {
    const some = Math.min(gone.get(line.lineNumber) ?? 0, quantityOf(line.qty));
    if (some === 0) return [line];
    gone.set(line.lineNumber, (gone.get(line.lineNumber) ?? 0) - some);
    const qty = (quantityOf(line.qty) - some) / 1000;
    if (qty === 0) return [];
    return [{ ...line, qty, ...(line.serials ? { serials: line.serials.slice(0, qty) } : {}) }];
  };
  return {
    ...rest,
    isCancelTooLate: false,
    toPick: job.toPick.flatMap(without),
    picked: job.picked.flatMap(without),
  };
}
