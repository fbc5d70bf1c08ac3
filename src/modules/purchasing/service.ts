import { checkRevision } from "#/intake/feeds/intake/checks.ts";
import { type Batch, defineFeed, type Entry, effective } from "#/intake/feeds/intake/definition.ts";
import { type Duplicate, resolveDuplicates } from "#/intake/feeds/intake/duplicates.ts";
import { assert } from "#/kernel/assert.ts";
import { finding } from "#/kernel/feed-codes.ts";
import { convertQuantities } from "#/modules/catalogue/index.ts";
import { recheckFacilities } from "#/modules/clients/index.ts";
import { wantOfPurchaseOrders } from "#/modules/inventory/index.ts";
import { findAnnouncedCartons, replaceCartons } from "#/modules/purchasing/carton-repository.ts";
import { faultsOfContents } from "#/modules/purchasing/cartons.ts";
import { vendorOrderShape } from "#/modules/purchasing/contract.ts";
import { checkVendorOrder, type PurchaseOrderMessage, refusalsOfChange } from "#/modules/purchasing/domain.ts";
import {
  afterSteps,
  discrepancyOf,
  isComplete,
  stepsOfReceiving,
} from "#/modules/purchasing/receiving/receiving-domain.ts";
import {
  auditsOfSteps,
  eventsOfSteps,
  lineRecordsOf,
  purchaseOrderEvent,
  purchaseOrderId,
} from "#/modules/purchasing/receiving/receiving-events.ts";
import {
  listReceivingHeaders,
  listReceivingLines,
  lockReceivingHeaders,
  writeReceivingHeaders,
  writeReceivingLines,
} from "#/modules/purchasing/receiving/receiving-repository.ts";
import type { PurchaseOrderKey } from "#/modules/purchasing/repository.ts";
import * as repository from "#/modules/purchasing/repository.ts";
import { recordAudits } from "#/store/db/audit.ts";
import type { ClientTransaction, ClientTx, UnitOfWork } from "#/store/db/database.ts";
import type { EventDraft } from "#/store/outbox/append.ts";

type PurchaseOrderEntry = Entry<PurchaseOrderMessage>;

/** Checks the purchase orders against the store: unknown SKUs, duplicates, states and revisions. */
export async function validatePurchaseOrders(tx: ClientTx, batch: Batch<PurchaseOrderMessage>): Promise<void> {
  const { entries } = batch;
  // The units are read after the lock, on the same connection.
  await Promise.all([
    recheckFacilities(tx, entries, ({ distributionCentre }) => distributionCentre),
    convertQuantities(tx, entries, goodsOf),
  ]);
  const poNumbers = [...new Set(entries.map(({ message }) => message.poNumber))];
  const stored = await repository.lockPurchaseOrders(tx, poNumbers);
  const isChange = (entry: PurchaseOrderEntry) => entry.message.action !== "NEW";
  const lines = entries.some(isChange) ? await listReceivingLines(tx, poNumbers) : [];
  await checkCartons(tx, entries);
  const duplicates: Duplicate[] = [];
  for (const entry of entries) {
    const { message, faults } = entry;
    const { poNumber, action } = message;
    const found = findTarget(message, stored);
    if (action === "NEW") {
      if (found.target) duplicates.push({ entry, object: nameOf(message), originToken: found.target.feed_token });
      continue;
    }
    if (!found.target) {
      faults.push(
        found.isAmbiguous
          ? finding(
              "VALUE",
              `vendorOrderId: required for ${action}, because purchase order ${poNumber} has several: ${found.isAmbiguous}`,
            )
          : finding("NOT_FOUND", `${action}: ${nameOf(message, false)} is not known`),
      );
      continue;
    }
    const { target } = found;
    if (target.from_facility !== null) {
      const remedy = "its goods were shipped by a facility; close it, or have the warehouse report what came";
      faults.push(finding("STATE", `${nameOf(message)} is of a transfer: ${remedy}`));
      continue;
    }
    faults.push(...checkRevision(nameOf(message), message.revision, target.revision));
    const orderLines = lines.filter(
      (line) => line.poNumber === poNumber && line.vendorOrderId === target.vendor_order_id,
    );
    for (const refusal of refusalsOfChange(target.status, action, orderLines, message.lines)) {
      faults.push(finding("STATE", `${nameOf(message)}: ${refusal}`));
    }
  }
  await resolveDuplicates(tx, batch, duplicates, true);
}

const goodsOf = ({ lines, cartons = [] }: PurchaseOrderMessage) =>
  cartons.length === 0 ? lines : [...lines, ...cartons.flatMap((carton) => carton.lines)];

/**
 * Cartons that hold more than is ordered, and SSCCs that another open purchase order announces. Documents of other
 * transactions at the same moment are not seen: a receipt of such an SSCC has to name its purchase order.
 */
async function checkCartons(tx: ClientTx, entries: readonly PurchaseOrderEntry[]): Promise<void> {
  const announcing = entries.filter(
    ({ message: { cartons = [] }, faults }) => cartons.length > 0 && faults.length === 0,
  );
  if (announcing.length === 0) return;
  const ssccs = announcing.flatMap(({ message: { cartons = [] } }) => cartons.map(({ sscc }) => sscc));
  const announced = Map.groupBy(await findAnnouncedCartons(tx, ssccs), ({ sscc }) => sscc);
  for (const { message, faults } of announcing) {
    const { poNumber, vendorOrderId, cartons = [], lines } = message;
    faults.push(...faultsOfContents(cartons, lines));
    for (const { path, sscc } of cartons) {
      const others = announced.get(sscc) ?? [];
      const other = others.find(
        (key) =>
          key.poNumber !== poNumber ||
          // A change may omit the notice: then it is of the only one.
          key.vendorOrderId !==
            (message.action === "NEW" ? (vendorOrderId ?? "") : (vendorOrderId ?? key.vendorOrderId)),
      );
      if (other)
        faults.push(
          finding("VALUE", `${path}/sscc: '${sscc}' is of purchase order ${purchaseOrderId(other)}, which expects it`),
        );
      else announced.set(sscc, [{ poNumber, vendorOrderId: vendorOrderId ?? "", sscc }]);
    }
  }
}

function nameOf({ poNumber, vendorOrderId }: PurchaseOrderMessage, isCapital = true): string {
  const notice = vendorOrderId === undefined ? "" : ` with vendorOrderId ${vendorOrderId}`;
  return `${isCapital ? "P" : "p"}urchase order ${poNumber}${notice}`;
}

interface Target {
  readonly target: repository.StoredPurchaseOrder | undefined;
  /** The possible vendorOrderIds, if the document names none and there are several. */
  readonly isAmbiguous?: string;
}

function findTarget(message: PurchaseOrderMessage, stored: readonly repository.StoredPurchaseOrder[]): Target {
  const { poNumber, vendorOrderId, action } = message;
  const notices = stored.filter((order) => order.po_number === poNumber);
  const exact = notices.find((order) => order.vendor_order_id === (vendorOrderId ?? ""));
  if (exact || action === "NEW" || vendorOrderId !== undefined || notices.length === 0) return { target: exact };
  if (notices.length === 1) return { target: notices[0] };
  return { target: undefined, isAmbiguous: notices.map((order) => order.vendor_order_id).join(", ") };
}

export async function writePurchaseOrders(
  tx: ClientTransaction,
  batch: Batch<PurchaseOrderMessage>,
): Promise<readonly EventDraft[]> {
  const { at, ids } = batch;
  const view = tx.with({ actor: "feed", origin: "PO", at, ids });
  const accepted = effective(batch);
  if (accepted.length === 0) return [];
  const ofAction = (action: string) => accepted.filter(({ message }) => message.action === action);
  const news = ofAction("NEW").map((entry) => ({
    ...entry,
    key: { poNumber: entry.message.poNumber, vendorOrderId: entry.message.vendorOrderId ?? "" },
  }));
  if (news.length > 0) {
    const sorted = news.sort((left, right) => (left.key.poNumber < right.key.poNumber ? -1 : 1));
    repository.insertPurchaseOrders(view, sorted);
    repository.replaceLines(view, sorted);
    replaceCartons(view, sorted, true);
    wantOfPurchaseOrders(
      view,
      sorted.map(({ key }) => key.poNumber),
    );
  }
  const changed = [...ofAction("UPDATE"), ...ofAction("CANCEL")];
  if (changed.length === 0) return [];
  const stored = await repository.lockPurchaseOrders(
    view,
    changed.map(({ message }) => message.poNumber),
  );
  const keyed = changed.map((entry) => {
    const { target } = findTarget(entry.message, stored);
    const key = { poNumber: entry.message.poNumber, vendorOrderId: target?.vendor_order_id ?? "" };
    return {
      ...entry,
      key,
      facilityCode: entry.message.action === "UPDATE" ? entry.message.distributionCentre : target?.distribution_centre,
    };
  });
  const published: EventDraft[] = [];
  recordAudits(
    view,
    keyed.map(({ message, key }) => ({
      action: message.action === "UPDATE" ? "update" : "cancel",
      objectType: "purchaseOrder",
      objectId: purchaseOrderId(key),
    })),
  );
  const poNumbers = [...new Set(keyed.map(({ key }) => key.poNumber))];
  // Those that the change takes away, and those that it brings.
  wantOfPurchaseOrders(view, poNumbers);
  const updates = keyed.filter(({ message }) => message.action === "UPDATE");
  const cancels = keyed.filter(({ message }) => message.action === "CANCEL");
  if (updates.length > 0) {
    repository.replacePurchaseOrders(view, at, updates);
    repository.replaceLines(view, updates);
    replaceCartons(view, updates, false);
    published.push(...(await settleUpdates(view, updates)));
  }
  if (cancels.length > 0) {
    repository.cancelPurchaseOrders(
      view,
      at,
      cancels.map(({ key, message }) => ({ key, revision: message.revision })),
    );
  }
  wantOfPurchaseOrders(view, poNumbers);
  const [headers, lines] = await Promise.all([
    listReceivingHeaders(view, poNumbers),
    listReceivingLines(view, poNumbers),
  ]);
  const statusOf = new Map(headers.map((header) => [purchaseOrderId(header), header.status]));
  const linesOf = Map.groupBy(lines, purchaseOrderId);
  const events = keyed.map(({ message, key, facilityCode }) => {
    const objectId = purchaseOrderId(key);
    const status = statusOf.get(objectId);
    assert(status, `purchase order ${objectId} was changed, and does not exist`);
    return purchaseOrderEvent(
      message.action === "UPDATE" ? "purchaseOrder:updated" : "purchaseOrder:cancelled",
      { ...key, facilityCode },
      { status, lines: lineRecordsOf(linesOf.get(objectId) ?? [], status) },
    );
  });
  return [...events, ...published];
}

/**
 * Settles an UPDATE of orders that are being received: a complete order with a higher quantity is no longer complete;
 * an order whose quantities are all received is complete. Called after the lines are written.
 */
async function settleUpdates(
  tx: UnitOfWork,
  updates: readonly { readonly key: PurchaseOrderKey }[],
): Promise<EventDraft[]> {
  const poNumbers = [...new Set(updates.map(({ key }) => key.poNumber))];
  const isUpdated = new Set(updates.map(({ key }) => purchaseOrderId(key)));
  const [headers, lines] = await Promise.all([lockReceivingHeaders(tx, poNumbers), listReceivingLines(tx, poNumbers)]);
  const linesByOrder = Map.groupBy(lines, purchaseOrderId);
  const settled = headers
    .filter((header) => isUpdated.has(purchaseOrderId(header)) && header.status !== "OPEN")
    .map((header) => {
      const before = linesByOrder.get(purchaseOrderId(header)) ?? [];
      const updatedLines = before.map((line) => ({
        ...line,
        discrepancy: discrepancyOf(line, header.status === "CLOSED"),
      }));
      const changed = updatedLines.filter((line, i) => line.discrepancy !== before[i]?.discrepancy);
      const facts = { hasGoods: false, isComplete: isComplete(updatedLines), isClosing: false };
      const steps = stepsOfReceiving(header.status, facts);
      return { header, after: afterSteps(header, steps, tx.change.at), own: updatedLines, changed, steps };
    });
  const moved = settled.filter(({ steps }) => steps.length > 0);
  writeReceivingHeaders(
    tx,
    tx.change.at,
    moved.map(({ after }) => after),
  );
  writeReceivingLines(
    tx,
    settled.flatMap(({ changed }) => changed),
  );
  recordAudits(
    tx,
    moved.flatMap(({ header, steps }) => auditsOfSteps(header, header.status, steps)),
  );
  return moved.flatMap(({ after, own: updatedLines, steps }) => eventsOfSteps(after, steps, updatedLines));
}

/** The definition of the PO feed for the receiver. */
export const purchaseOrderFeed = defineFeed({
  type: "PO",
  xsd: "PO.xsd",
  shape: vendorOrderShape,
  clientIdOf: (raw) => raw.clientId,
  objectIdOf: (raw) => raw.poNumber,
  check: checkVendorOrder,
  keyOf: (order) => order.poNumber,
  isWithdrawal: ({ action }) => action === "CANCEL",
  parkKeyOf: ({ poNumber, vendorOrderId = "" }) => `${poNumber}/${vendorOrderId}`,
  validate: validatePurchaseOrders,
  write: writePurchaseOrders,
});
