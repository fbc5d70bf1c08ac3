import { printable } from "#/cli/ack-report.ts";
import { columns, table } from "#/cli/columns.ts";
import { type Call, done, type Outcome, refuse } from "#/cli/command.ts";
import { consoleLink } from "#/cli/console-link.ts";
import { withPlatform } from "#/cli/context.ts";
import { readSnapshot } from "#/db/store/snapshot.ts";
import { showClient } from "#/modules/clients/service.ts";
import type { OrderRecord } from "#/modules/orders/rest/contract.ts";
import { readOrder, readStatus } from "#/modules/orders/rest/reading.ts";
import type { OrderStatusRecord } from "#/modules/orders/rest/status-contract.ts";

export function orderShow(call: Call): Promise<Outcome> {
  const orderId = call.argument("ID");
  const clientId = call.given("client");
  return withPlatform(async ({ config, database }) => {
    const client = await showClient(database.of(clientId));
    if (!client.ok) return refuse(client.fault);
    const [order, status] = await readSnapshot(database, (tx) =>
      Promise.all([readOrder(tx.of(clientId), orderId), readStatus(tx.of(clientId), orderId)]),
    );
    if (order === undefined) return refuse(`client ${clientId} has no order ${orderId}`);
    const link = consoleLink(config, clientId, orderId);
    return done(order, [
      ...columns(factsOf(order, link).map((row) => row.map(printable))),
      "",
      ...tableOf(["LINE", "SKU", "STATE", "ORDERED", "ALLOCATED", "PACKED", "DESPATCHED", "CANCELLED"], linesOf(order)),
      ...parcelsOf(status?.parcels ?? []),
      "",
      ...tableOf(
        ["WHEN", "CODE", "STEP"],
        order.milestones.map(({ at, code, name }) => [at, String(code), name]),
      ),
    ]);
  });
}

function factsOf(order: OrderRecord, link: string | undefined): string[][] {
  const { orderId, clientId, status, statusReason, distributionCentre, despatchBy, receivedAt, updatedAt } = order;
  return [
    ["Order", `${orderId} of ${clientId}`],
    ["State", statusReason === null ? status : `${status}: ${statusReason}`],
    ...(link === undefined ? [] : [["Console", link]]),
    ["Facility", distributionCentre],
    ["Ships to", placeOf(order)],
    ...(order.totalPrice === null ? [] : [["Total", moneyOf(order.totalPrice)]]),
    ["Received", receivedAt],
    ["Changed", updatedAt],
    ...(despatchBy === null ? [] : [["Leaves by", despatchBy]]),
    ...order.holds.map(({ type, reason, since, by }) => ["Hold", `${type} since ${since} by ${by}: ${reason}`]),
  ];
}

function placeOf({ shipToAddress: to, personalDataErasedAt }: OrderRecord): string {
  const person = [to?.firstName, to?.lastName].filter(Boolean).join(" ");
  const city = [to?.zip, to?.city].filter(Boolean).join(" ");
  const place = [person, to?.companyName, city, to?.country].filter(Boolean).join(", ");
  return personalDataErasedAt === null ? place : `${place} (personal data erased ${personalDataErasedAt})`;
}

const moneyOf = ({ amount, currency }: NonNullable<OrderRecord["totalPrice"]>) =>
  [amount, currency].filter((part) => part !== null).join(" ");

const linesOf = ({ lines }: OrderRecord) =>
  lines.map((line) => [
    ...[String(line.lineNumber), line.sku, line.status, `${line.qtyOrdered} ${line.uom}`],
    ...[line.qtyAllocated, line.qtyPacked, line.qtyDespatched, line.qtyCancelled].map(String),
  ]);

function parcelsOf(parcels: OrderStatusRecord["parcels"]): string[] {
  if (parcels.length === 0) return [];
  const rows = parcels.map(({ olpnId, status, carrierCode, carrierServiceCode, trackingNumber, trackingUrl }) => [
    ...[olpnId, status, [carrierCode, carrierServiceCode].filter(Boolean).join(" ") || "-"],
    ...[trackingNumber ?? "-", trackingUrl ?? ""],
  ]);
  return ["", ...tableOf(["PARCEL", "STATE", "CARRIER", "TRACKING", ""], rows)];
}

const tableOf = (heading: readonly string[], rows: readonly (readonly string[])[]) =>
  table(
    heading,
    rows.map((row) => row.map(printable)),
    "",
  );
