import { readDateTime } from "#/http/requests/date-time.ts";
import { refusalOfVersion } from "#/http/requests/if-match.ts";
import { conflict, notFound, type Refusal, unprocessable, unprocessableFaults } from "#/kernel/refusal.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";
import { faultOfPool, type PoolSettings } from "#/kernel/values/stock-pools.ts";
import { openBook } from "#/modules/inventory/index.ts";
import { findCartonOrders, purchaseOrderId, reportGoodsReceipt } from "#/modules/purchasing/index.ts";
import { freeAllocations } from "#/modules/warehouse/free-allocations.ts";
import type {
  UnidentifiedBind,
  UnidentifiedBody,
  UnidentifiedClose,
  UnidentifiedReceipt,
} from "#/modules/warehouse/unidentified/contract.ts";
import * as repository from "#/modules/warehouse/unidentified/repository.ts";
import { recordAudits } from "#/store/db/audit.ts";
import type { UnitOfWork } from "#/store/db/database.ts";
import { type CommandResult, type EventDraft, truncateLines } from "#/store/outbox/append.ts";

type UnidentifiedResult = Result<CommandResult<UnidentifiedReceipt>, Refusal>;

/** Stores goods that came without a purchase order: no stock, no lock. Refused as 409 where the receiptId is taken. */
export async function receiveUnidentified(
  tx: UnitOfWork,
  facilityCode: string,
  body: UnidentifiedBody,
): Promise<UnidentifiedResult> {
  const { at, ids } = tx.change;
  const { receiptId } = body;
  if (await repository.hasReceipt(tx, facilityCode, receiptId)) {
    return refused(conflict(`Receipt ${receiptId} is already booked; other goods need a separate id.`));
  }
  const receipt: UnidentifiedReceipt = {
    unidentifiedId: ids.next(Date.parse(at)),
    clientId: tx.clientId,
    distributionCentre: facilityCode,
    receiptId,
    status: "WAITING",
    packages: body.packages,
    sscc: body.sscc ?? null,
    carrierCode: body.carrierCode ?? null,
    trackingNumber: body.trackingNumber ?? null,
    marks: body.marks ?? null,
    lines: body.lines ?? [],
    occurredAt: (body.occurredAt === undefined ? undefined : readDateTime(body.occurredAt)) ?? at,
    poNumber: null,
    vendorOrderId: null,
    reason: null,
    receivedAt: at,
    settledAt: null,
    updatedAt: at,
    version: 1,
  };
  repository.insertUnidentified(tx, receipt);
  audit(tx, "receive", receipt);
  return ok({ answer: receipt, events: [eventOf("unidentifiedReceipt:received", receipt)] });
}

export interface BindingTerms {
  /** Per cent: the client's setting overReceiptTolerance. */
  readonly overReceiptTolerance?: number | undefined;
  readonly pools: PoolSettings;
}

interface Named {
  readonly unidentifiedId: string;
  readonly ifMatch?: string | undefined;
}

/**
 * Binds the goods to a purchase order: in the same transaction its receipt is booked, as if the warehouse had reported it
 * (warehouse.md, goodsReceipt). Refused as 404, 409 (bound or closed already) or 412, and as that receipt is.
 */
export async function bindUnidentified(
  tx: UnitOfWork,
  named: Named,
  { poNumber, vendorOrderId, lines, reason }: UnidentifiedBind,
  { overReceiptTolerance = 0, pools }: BindingTerms,
): Promise<UnidentifiedResult> {
  const faults = (lines ?? []).flatMap(({ stockPool }, i) => {
    const message = stockPool === undefined ? undefined : faultOfPool(pools, stockPool);
    return message === undefined ? [] : [{ pointer: `#/lines/${i}/stockPool`, message }];
  });
  if (faults.length > 0) return refused(unprocessableFaults(faults));
  const place = await repository.findUnidentified(tx, named.unidentifiedId);
  if (!place) return refused(unknown);
  // The book is locked before the goods, as in every report.
  const book = await openBook(tx, place.distributionCentre, tx.change.at);
  const locked = await lockWaiting(tx, named);
  if (!locked.ok) return locked;
  const before = locked.value;
  const { receiptId, sscc, occurredAt } = before;
  const goods = lines ?? (before.lines as NonNullable<UnidentifiedBody["lines"]>);
  const announcing =
    sscc === null
      ? undefined
      : (await findCartonOrders(tx, book.facilityCode, sscc)).find(
          (order) =>
            order.poNumber === poNumber && (vendorOrderId === undefined || order.vendorOrderId === vendorOrderId),
        );
  if (goods.length === 0 && !announcing) {
    return refused(unprocessable(`The goods of receipt ${receiptId} were not counted; name them in lines.`));
  }
  const report = { clientId: tx.clientId, poNumber, vendorOrderId, receiptId, occurredAt, lines: goods };
  const booked = await reportGoodsReceipt(
    tx,
    book,
    announcing && sscc !== null ? { ...report, vendorOrderId: announcing.vendorOrderId, sscc } : report,
    { overReceiptTolerance, free: freeAllocations },
  );
  if (!booked.ok) return booked;
  const order = booked.value.answer;
  const bound = settle(tx, "bind", {
    ...before,
    status: "BOUND",
    poNumber,
    vendorOrderId: order.vendorOrderId,
    reason: reason ?? null,
  });
  return ok({ answer: bound, events: [...booked.value.events, eventOf("unidentifiedReceipt:bound", bound)] });
}

/** Ends goods that no purchase order gets. Refused as 404, 409 (bound or closed already) or 412. */
export async function closeUnidentified(
  tx: UnitOfWork,
  named: Named,
  { outcome, reason }: UnidentifiedClose,
): Promise<UnidentifiedResult> {
  const locked = await lockWaiting(tx, named);
  if (!locked.ok) return locked;
  const ended = settle(tx, "close", { ...locked.value, status: outcome, reason });
  return ok({ answer: ended, events: [eventOf("unidentifiedReceipt:closed", ended)] });
}

const unknown = notFound("The client has no goods of this unidentifiedId.");

async function lockWaiting(
  tx: UnitOfWork,
  { unidentifiedId, ifMatch }: Named,
): Promise<Result<UnidentifiedReceipt, Refusal>> {
  const before = await repository.lockUnidentified(tx, unidentifiedId);
  if (!before) return refused(unknown);
  const stale = refusalOfVersion(ifMatch, before.version);
  if (stale) return refused(stale);
  const { status, receiptId, poNumber, vendorOrderId } = before;
  if (status === "WAITING") return ok(before);
  const to =
    poNumber === null ? "" : ` to purchase order ${purchaseOrderId({ poNumber, vendorOrderId: vendorOrderId ?? "" })}`;
  const remedy = poNumber === null ? "" : `; a correction of receipt ${receiptId} changes what was booked`;
  return refused(conflict(`The goods of receipt ${receiptId} are ${status}${to} since ${before.settledAt}${remedy}.`));
}

function settle(tx: UnitOfWork, action: "bind" | "close", receipt: UnidentifiedReceipt): UnidentifiedReceipt {
  const { at } = tx.change;
  const settled = { ...receipt, settledAt: at, updatedAt: at, version: receipt.version + 1 };
  repository.writeSettled(tx, settled);
  audit(tx, action, settled);
  return settled;
}

function audit(tx: UnitOfWork, action: string, receipt: UnidentifiedReceipt): void {
  const { unidentifiedId: objectId, receiptId, status, poNumber, reason } = receipt;
  const detail = {
    receiptId,
    status,
    ...(poNumber === null ? {} : { poNumber }),
    ...(reason === null ? {} : { reason }),
  };
  recordAudits(tx, [{ action, objectType: "unidentifiedReceipt", objectId, detail }]);
}

function eventOf(
  topic: `unidentifiedReceipt:${"received" | "bound" | "closed"}`,
  receipt: UnidentifiedReceipt,
): EventDraft {
  const { lines, ...record } = receipt;
  const { unidentifiedId: objectId, distributionCentre: facilityCode } = receipt;
  const href = `/v1/orderService/unidentifiedReceipt/get/${encodeURIComponent(objectId)}`;
  const data = { ...record, ...truncateLines(lines, { href, hasLongLines: true }) };
  return { topic, objectType: "unidentifiedReceipt", objectId, facilityCode, data };
}
