import type { FeedClient } from "#/intake/feeds/intake/definition.ts";
import { assert } from "#/kernel/assert.ts";
import type { Finding } from "#/kernel/feed-codes.ts";
import { conflict, invalid, type Refusal, unprocessableFaults } from "#/kernel/refusal.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";
import type { CarrierSets } from "#/modules/carriers/index.ts";
import { resolveSettings } from "#/modules/clients/index.ts";
import {
  type AddressCheck,
  findingOfCheck,
  prepareChecks,
  withCheck,
  writeChecks,
} from "#/modules/orders/addresses/address-check.ts";
import { findStoredSettings } from "#/modules/orders/allocation/backorder-repository.ts";
import { refusalOfHeaderChange } from "#/modules/orders/commands/change-order.ts";
import {
  type HeaderChange,
  listHeaders,
  type StoredHeader,
  updateHeader,
} from "#/modules/orders/commands/change-repository.ts";
import { doNotShip, refusalOfHolds, withAddressValidated, withHold } from "#/modules/orders/commands/hold-order.ts";
import { isElsewhere, moveOrders, refusalOfFacility, refusalOfMove } from "#/modules/orders/commands/move-order.ts";
import { type OrderKey, openOrder } from "#/modules/orders/commands/open-order.ts";
import {
  changedFields,
  faultsOfMerged,
  faultsOfPatch,
  mergeHeader,
  type OrderPatch,
  placeAddresses,
} from "#/modules/orders/commands/order-patch.ts";
import type { OrderTopic } from "#/modules/orders/events.ts";
import { findMethodWarnings } from "#/modules/orders/intake/accept-orders.ts";
import { type AddressFault, checkAddresses, withOutcome } from "#/modules/orders/intake/check-address.ts";
import type { AddressElement } from "#/modules/orders/intake/contract.ts";
import type { Order } from "#/modules/orders/order.ts";
import { settleOrders } from "#/modules/orders/settle.ts";
import type { Change } from "#/store/db/audit.ts";
import type { ClientTransaction, UnitOfWork } from "#/store/db/database.ts";
import type { CommandResult } from "#/store/outbox/append.ts";

/** The changed order, and warnings of what the patch makes of its method and carrier. */
export interface ChangedOrder {
  readonly order: Order;
  readonly warnings: readonly Finding[];
}

/**
 * Changes addresses, shippingMethod, carrierCode, priority and extendedAttributes until the order is packed,
 * distributionCentre until the warehouse has taken it, and doNotShip until it has left. Refused as 400, 404, 412, 409 or
 * 422 (facility, country, postcode, addresses that the client's settings refuse), each with all faults. A patch that
 * changes nothing writes nothing.
 *
 * @param context.client of the order
 * @param context.sets of the warnings that an NO has too
 */
export async function changeOrder(
  tx: UnitOfWork,
  key: OrderKey,
  patch: OrderPatch,
  { client, sets }: { readonly client: Pick<FeedClient, "calendars">; readonly sets: CarrierSets },
): Promise<Result<CommandResult<ChangedOrder>, Refusal>> {
  const shape = faultsOfPatch(patch);
  if (shape.length > 0) return refused(invalid(shape));
  const { distributionCentre: facilityCode } = patch;
  const ofFacility = facilityCode === undefined ? undefined : await refusalOfFacility(tx, facilityCode);
  const opened = await openOrder(tx, key);
  if (!opened.ok) return opened;
  const { before } = opened.value;
  const [stored] = await listHeaders(tx, [before.orderId]);
  assert(stored, `order ${before.orderId} is locked and has no header`);
  const merged = mergeHeader(stored, patch);
  const lacking = faultsOfMerged(merged);
  if (lacking.length > 0) return refused(invalid(lacking));
  const placed = placeAddresses(stored, merged);
  const header = changedFields(stored, placed.header);
  const isAddressChanged = header.shipToAddress !== undefined || header.billToAddress !== undefined;
  const addressFaults = isAddressChanged ? await faultsOfAddresses(tx, stored, header) : undefined;
  const checks = header.shipToAddress ? await checksOf(tx, before.orderId, header.shipToAddress) : [];
  const validated = addressFaults ? withAddressValidated(before, addressFaults, tx.change.at, tx.change.actor) : before;
  const verified = checks.reduce((order, check) => withCheck(order, check, tx.change.at), validated);
  const held = withDoNotShip(verified, patch.doNotShip, tx.change);
  const changed = Object.keys(patch).filter((name) => Object.hasOwn(header, name));
  const isHeldByAsk = patch.doNotShip !== undefined && withDoNotShip(before, patch.doNotShip, tx.change) !== before;
  const refusal = refusalOfPatch(before, isHeldByAsk ? held : before, changed);
  if (refusal !== undefined) return refused(conflict(refusal));
  const isMoved = facilityCode !== undefined && isElsewhere(before, facilityCode);
  const ofMove = isMoved ? (refusalOfMove(before) ?? ofFacility) : undefined;
  if (ofMove !== undefined) return refused(ofMove);
  if (placed.refusal) return refused(placed.refusal);
  const unwanted: Pick<AddressFault, "path" | "message">[] = [...withOutcome(addressFaults ?? [], "REFUSE")];
  const undeliverable = checks.flatMap((check) => findingOfCheck(check) ?? []).filter(({ isFault }) => isFault);
  unwanted.push(...undeliverable.map(({ message }) => ({ path: "shipToAddress", message })));
  if (unwanted.length > 0) return refused(refusalOfAddresses(unwanted));

  const isHeaderChanged = Object.keys(header).length > 0;
  if (!isHeaderChanged && !isMoved && held === before)
    return ok({ answer: { order: before, warnings: [] }, events: [] });
  if (isHeaderChanged) updateHeader(tx, before.orderId, header);
  writeChecks(tx, checks);
  const stayed = withHeader(held, header);
  const move = { before, order: stayed, facilityCode: facilityCode ?? before.distributionCentre };
  const { books } = opened.value;
  const [order = stayed] = isMoved ? await moveOrders(tx, client, { books, by: "NAMED" }, [move]) : [];
  const detail = {
    fields: [...changed, ...(isHeldByAsk ? ["doNotShip"] : []), ...(isMoved ? ["distributionCentre"] : [])],
    ...(isMoved ? { distributionCentre: facilityCode } : {}),
  };
  const topics = topicsOf(before, order, isHeaderChanged || isMoved);
  const events = await settleOrders(tx, [{ order, before, action: "update", topics, detail }]);
  const isMethodChanged = header.shippingMethod !== undefined || header.carrierCode !== undefined;
  const [warnings = []] = isMethodChanged ? await findMethodWarnings(tx, sets, [order]) : [];
  return ok({ answer: { order, warnings }, events });
}

/** The faults of the addresses after the patch. */
async function faultsOfAddresses(
  tx: ClientTransaction,
  stored: StoredHeader,
  { shipToAddress, billToAddress }: HeaderChange,
): Promise<AddressFault[]> {
  const addresses = {
    shipToAddress: shipToAddress ?? stored.ship_to_address ?? undefined,
    billToAddress: (billToAddress === undefined ? stored.bill_to_address : billToAddress) ?? undefined,
  };
  return checkAddresses(addresses, resolveSettings(await findStoredSettings(tx)));
}

/** The check of a new address, where the client wants one. */
async function checksOf(tx: UnitOfWork, orderId: string, address: AddressElement): Promise<AddressCheck[]> {
  const settings = resolveSettings(await findStoredSettings(tx));
  return [...(await prepareChecks(tx, settings, [{ orderId, address }], tx.change.at)).values()];
}

function refusalOfAddresses(faults: readonly Pick<AddressFault, "path" | "message">[]): Refusal {
  const errors = faults.map(({ path, message }) => ({ pointer: `#/${path}`, message }));
  return unprocessableFaults(errors);
}

/** Why the changed fields can no longer be changed. A field that the patch only repeats is not a fault. */
function refusalOfPatch(order: Order, held: Order, changed: readonly string[]): string | undefined {
  const ofHeader = changed.length === 0 ? undefined : refusalOfHeaderChange(order);
  if (ofHeader === undefined) {
    return held === order
      ? undefined
      : refusalOfHolds(order, held.holds.length > order.holds.length ? "held" : "released");
  }
  return `Order ${order.orderId}: ${changed.join(", ")} cannot be changed in state ${order.status}: ${ofHeader}.`;
}

/** Returns the same object if the hold already is as requested. */
function withDoNotShip(order: Order, isHeld: boolean | null | undefined, change: Change): Order {
  if (isHeld === undefined) return order;
  if (isHeld === true) return withHold(order, doNotShip(change.at, change.actor));
  const holds = order.holds.filter(({ type }) => type !== "DO_NOT_SHIP");
  return holds.length === order.holds.length ? order : { ...order, holds };
}

function withHeader(order: Order, header: HeaderChange): Order {
  const { priority, carrierCode, shippingMethod } = header;
  return {
    ...order,
    priority: priority ?? order.priority,
    carrierCode: carrierCode === undefined ? order.carrierCode : (carrierCode ?? undefined),
    shippingMethod: shippingMethod === undefined ? order.shippingMethod : (shippingMethod ?? undefined),
  };
}

/**
 * The first hold publishes order:held, the last lifted hold publishes order:released. Every other change is
 * order:updated.
 */
function topicsOf(before: Order, order: Order, isHeaderChanged: boolean): OrderTopic[] {
  const [wasHeld, isHeld] = [before.holds.length > 0, order.holds.length > 0];
  if (wasHeld === isHeld) return ["order:updated"];
  return [...(isHeaderChanged ? (["order:updated"] as const) : []), isHeld ? "order:held" : "order:released"];
}
