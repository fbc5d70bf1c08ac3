import { assert } from "#/kernel/assert.ts";
import { joinRefusals, type Refusal } from "#/kernel/refusal.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";
import { quantityToNumber } from "#/kernel/values/quantity.ts";
import { findItemRules } from "#/modules/catalogue/index.ts";
import { raiseException } from "#/modules/facilities/index.ts";
import { type Book, fieldsOfLot, type Lot, postMovements, writeSerials } from "#/modules/inventory/index.ts";
import { lockReturnable, raiseReturned, returnParcel } from "#/modules/orders/index.ts";
import {
  conditionOf,
  type Disposition,
  discrepancyOf,
  type GradedGoods,
  gradedOf,
  isComplete,
  stepsOfReturn,
  withGoods,
} from "#/modules/returns/reports/grading-domain.ts";
import * as repository from "#/modules/returns/reports/grading-repository.ts";
import { faultsOfReturn, faultsOfReturnedSerials, faultsOfTotals } from "#/modules/returns/reports/return-checks.ts";
import { type ReturnAnswer, type ReturnBody, readReturned } from "#/modules/returns/reports/return-contract.ts";
import {
  auditsOfSteps,
  type ReturnRecord,
  recordsOf,
  returnEvent,
  withStatusFeed,
} from "#/modules/returns/reports/return-events.ts";
import { findMatter, type ReturnMatter } from "#/modules/returns/reports/return-matter.ts";
import type { ReturnState } from "#/modules/returns/states.ts";
import { recordAudits } from "#/store/db/audit.ts";
import type { UnitOfWork } from "#/store/db/database.ts";
import type { CommandResult, EventDraft } from "#/store/outbox/append.ts";

/** The reason of the ledger, and the kind of the exception, for goods without an origin. */
const surplusReason = "OVER_RETURN";

/** The most SKUs that the sentence of an exception lists. */
const skusNamedMax = 20;

/**
 * Books returned and graded goods (warehouse.md, return): stock by grade, serial numbers, the return's quantities and
 * state, the returned quantity of its order, one RS.
 *
 * @param book of the client and the reporting facility
 * @returns the answer with the events to append, or one refusal with all faults; then nothing is written.
 */
export async function reportReturn(
  tx: UnitOfWork,
  book: Book,
  body: ReturnBody,
): Promise<Result<CommandResult<ReturnAnswer>, Refusal>> {
  const { clientId } = book;
  assert(body.clientId === clientId, `a report of client ${body.clientId} came with the book of ${clientId}`);
  const { goods: stated, faults } = readReturned(body.lines);
  const found = await findMatter(tx, book, body);
  if (!found.ok) return refused(joinRefusals([found.fault, ...faults]));
  const matter = found.value;
  const rules = await findItemRules(
    tx,
    stated.map(({ sku }) => sku),
  );
  const hasSerials = (sku: string) => rules.get(sku)?.captureSerial === true;
  // The owner does not expect a blind return, nor one that is cancelled: it goes into quarantine, whatever its grade.
  const isUnannounced = matter.isBlind || matter.header?.status === "CANCELLED";
  const goods = isUnannounced ? stated.map((lot) => ({ ...lot, disposition: "QUARANTINE" as const })) : stated;
  faults.push(...faultsOfReturn(matter, goods, rules, body.close === true));
  if (isAny(faults)) return refused(joinRefusals(faults));
  // The lock makes two returns of one order count one after the other, in whatever facility.
  const order = matter.orderId === undefined ? undefined : await lockReturnable(tx, matter.orderId);
  const graded = gradedOf(matter.lines, goods, {
    shipped: order?.shipped,
    kits: order?.kits,
    isBoundByLines: matter.olpnId !== undefined,
  });
  const received = withGoods(matter.lines, graded);
  faults.push(
    ...faultsOfTotals(received),
    ...(await faultsOfReturnedSerials(tx, hasSerials, graded, matter.orderId !== undefined)),
  );
  if (isAny(faults)) return refused(joinRefusals(faults));

  bookStock(tx, book, body, matter, hasSerials, graded);
  const writes = graded.map(({ counted: _, reported: __, serials = [], returnReasonCode, note, ...goods }) => ({
    ...goods,
    serials,
    returnReasonCode,
    note,
    entryId: tx.change.ids.next(Date.parse(tx.change.at)),
  }));
  const source = {
    facilityCode: book.facilityCode,
    rmaNumber: matter.header?.rmaNumber,
    olpnId: matter.olpnId,
    returnId: matter.isBlind ? matter.objectId : undefined,
  };
  repository.insertGraded(tx, book.at, source, writes);
  const settled = settle(tx, matter, received, {
    hasGoods: graded.length > 0,
    isClosing: body.close === true,
  });
  const records = recordsOf(settled.lines, [...matter.graded, ...writes]);
  if (isUnannounced) raiseUnannounced(tx, book, matter, body, stated);
  else raiseSurplus(tx, book, matter, graded);
  const events = draftsOf(matter, settled, records, book.facilityCode, graded.length > 0);
  if (order) {
    const counted = graded.map(({ sku, counted: qty }) => ({ sku, qty }));
    const { olpnId } = matter;
    const isOver = body.close === true || isComplete(received);
    const parcel = { isComplete: isOver, at: body.occurredAt ?? tx.change.at, goods: counted };
    const changed =
      olpnId === undefined ? raiseReturned(tx, order, counted) : returnParcel(tx, order, { ...parcel, olpnId });
    events.push(...(await changed));
  }
  return ok({ answer: answerOf(body, matter, settled.status, graded, records), events });
}

const isAny = (faults: readonly Refusal[]): faults is readonly [Refusal, ...Refusal[]] => faults.length > 0;

function bookStock(
  tx: UnitOfWork,
  book: Book,
  body: ReturnBody,
  { referenceType, objectId }: ReturnMatter,
  hasSerials: (sku: string) => boolean,
  graded: readonly GradedGoods[],
): void {
  const kept = graded.flatMap(({ disposition, reported, stockPool, batchRef, expiryDate, sku, qty, serials = [] }) => {
    const condition = conditionOf[disposition];
    if (condition === undefined) return [];
    const reason = reported === undefined ? undefined : surplusReason;
    return { condition, stockPool, batchRef, expiryDate, sku, qty, serials, reason };
  });
  postMovements(
    tx,
    book,
    tx.change.ids,
    kept.map(({ serials, reason, ...place }) => ({
      type: "RETURN" as const,
      ...place,
      ...(reason === undefined ? {} : { reason }),
      ...(serials.length === 0 ? {} : { serials }),
      referenceType,
      referenceId: objectId,
      ...(body.occurredAt === undefined ? {} : { occurredAt: body.occurredAt }),
    })),
  );
  writeSerials(
    tx,
    book.at,
    kept
      .filter(({ sku }) => hasSerials(sku))
      .flatMap(({ serials, qty: _, reason: __, ...place }) =>
        serials.map((serial) => ({
          ...place,
          serial,
          state: "IN_STOCK" as const,
          facilityCode: book.facilityCode,
        })),
      ),
  );
}

interface Settled {
  readonly header: repository.ReturnHeader | undefined;
  readonly status: ReturnState;
  readonly steps: readonly ReturnState[];
  readonly lines: readonly (repository.StoredReturnLine & Partial<repository.ReturnLineWords>)[];
}

/** Writes the authorisation with its new state; without an authorisation there is no state. */
function settle(
  tx: UnitOfWork,
  { header, lines }: ReturnMatter,
  received: ReturnMatter["lines"],
  facts: { readonly hasGoods: boolean; readonly isClosing: boolean },
): Settled {
  const rmaNumber = header?.rmaNumber ?? "";
  const linesWith = (isClosed: boolean) =>
    received.map((line) => ({ ...line, rmaNumber, discrepancy: discrepancyOf(line, isClosed) }));
  if (!header) return { header, status: "RECEIVED", steps: [], lines: linesWith(false) };
  const steps = stepsOfReturn(header.status, { ...facts, isComplete: isComplete(received) });
  const status = steps.at(-1) ?? header.status;
  const isClosed = status === "CLOSED";
  const after = { ...header, status, closedAt: isClosed ? tx.change.at : undefined };
  const linesAfter = linesWith(isClosed);
  repository.writeReturnHeaders(tx, tx.change.at, [after]);
  repository.writeReturnLines(
    tx,
    linesAfter.filter((line, i) => line.received !== lines[i]?.received || line.discrepancy !== "NONE"),
  );
  recordAudits(tx, [
    ...(facts.hasGoods ? [{ action: "receive", objectType: "return", objectId: rmaNumber }] : []),
    ...auditsOfSteps(rmaNumber, header.status, steps),
  ]);
  return { header: after, status, steps, lines: linesAfter };
}

/** The receipt and the close are separate events; the last one carries the RS. */
function draftsOf(
  { objectId, olpnId, orderId }: ReturnMatter,
  { header, status, steps }: Settled,
  lines: readonly ReturnRecord[],
  facilityCode: string,
  hasGoods: boolean,
): EventDraft[] {
  const announced = { rmaNumber: header?.rmaNumber, orderReference: header?.orderReference };
  const facts = { objectId, ...announced, olpnId, orderId, facilityCode, status, lines };
  const topics = [
    ...(hasGoods ? ["return:received" as const] : []),
    ...(steps.includes("CLOSED") ? ["return:closed" as const] : []),
  ];
  return topics.map((topic, i) => (i === topics.length - 1 ? withStatusFeed(topic, facts) : returnEvent(topic, facts)));
}

function raiseUnannounced(
  tx: UnitOfWork,
  book: Book,
  { objectId, isBlind }: ReturnMatter,
  body: ReturnBody,
  goods: ReturnType<typeof readReturned>["goods"],
): void {
  if (goods.length === 0) return;
  const which = isBlind ? "unannounced goods" : "goods of a cancelled return";
  raiseException(tx, {
    kind: "BLIND_RETURN",
    facilityCode: book.facilityCode,
    objectType: "return",
    objectId,
    summary: `Return ${objectId}: ${which} are in QUARANTINE: ${namesOf(goods)}`,
    detail: {
      ...(body.returnId === undefined ? {} : { returnId: body.returnId }),
      lines: goods.map((lot) => recordOf(lot, lot.qty, lot.disposition)),
    },
  });
}

/** More came back than has an origin: an operator asks where the rest is from. */
function raiseSurplus(
  tx: UnitOfWork,
  book: Book,
  { objectId, referenceType, orderId }: ReturnMatter,
  graded: readonly GradedGoods[],
): void {
  const surplus = graded.filter(({ qty, counted }) => counted < qty);
  if (surplus.length === 0) return;
  const name = referenceType === "parcel" ? "Parcel" : "Return";
  const measure = orderId === undefined ? "was announced" : `left with order ${orderId}`;
  raiseException(tx, {
    kind: surplusReason,
    facilityCode: book.facilityCode,
    objectType: referenceType === "parcel" ? "olpn" : "return",
    objectId,
    summary: `${name} ${objectId}: more came back than ${measure}; what would be sellable is in QUARANTINE: ${namesOf(surplus)}`,
    detail: {
      lines: surplus.map((lot) => ({
        ...(lot.lineNumber === undefined ? {} : { lineNumber: lot.lineNumber }),
        ...recordOf(lot, lot.qty - lot.counted, lot.reported ?? lot.disposition),
      })),
    },
  });
}

function namesOf(goods: readonly { readonly sku: string }[]): string {
  return [...new Set(goods.map(({ sku }) => sku))].slice(0, skusNamedMax).join(", ");
}

function recordOf(
  { sku, note, serials, ...lot }: Pick<GradedGoods, "sku" | "note" | "serials" | keyof Lot>,
  qty: number,
  reportedDisposition: Disposition,
) {
  return {
    sku,
    qty: quantityToNumber(qty),
    reportedDisposition,
    ...fieldsOfLot(lot),
    ...(note === undefined ? {} : { note }),
    ...(serials === undefined ? {} : { serials }),
  };
}

function answerOf(
  body: ReturnBody,
  { header, olpnId }: ReturnMatter,
  status: string,
  graded: readonly GradedGoods[],
  records: readonly ReturnRecord[],
): ReturnAnswer {
  const keyOf = ({ lineNumber, sku }: { lineNumber?: number | undefined; sku: string }) =>
    lineNumber === undefined ? `SKU ${sku}` : `${lineNumber}`;
  const now = Map.groupBy(graded, keyOf);
  return {
    rmaNumber: header?.rmaNumber ?? null,
    olpnId: olpnId ?? null,
    returnId: body.returnId ?? null,
    status,
    lines: records
      .filter((record) => now.has(keyOf(record)))
      .map((record) => {
        const recordGoods = now.get(keyOf(record)) ?? [];
        return {
          lineNumber: record.lineNumber ?? null,
          sku: record.sku,
          qtyReceived: quantityToNumber(recordGoods.reduce((sum, { qty }) => sum + qty, 0)),
          qtyTotal: quantityToNumber(record.received),
          discrepancy: record.discrepancy,
          booked: recordGoods.map(({ disposition, qty }: { disposition: Disposition; qty: number }) => ({
            disposition,
            condition: conditionOf[disposition] ?? null,
            qty: quantityToNumber(qty),
          })),
        };
      }),
  };
}
