import { formatQuantity } from "#/kernel/values/quantity.ts";
import { hasOwnContent, withContents } from "#/modules/orders/content.ts";
import type { AddressElement } from "#/modules/orders/intake/contract.ts";
import { atRiskBeforeMs } from "#/modules/orders/order.ts";
import { salesOrder } from "#/modules/orders/tables.ts";
import type { ClientTransaction, ClientTx } from "#/store/db/database.ts";
import { sql, tenant } from "#/store/db/sql.ts";
import { type Answered, selectFrom, updateOf } from "#/store/db/table.ts";

/** A given field replaces the stored value, null clears it, an omitted field stays. */
export interface HeaderChange {
  readonly shipToAddress?: AddressElement | undefined;
  readonly billToAddress?: AddressElement | null | undefined;
  readonly shippingMethod?: string | null | undefined;
  readonly carrierCode?: string | null | undefined;
  readonly priority?: number | undefined;
  readonly extendedAttributes?: Readonly<Record<string, string>> | undefined;
}

export function updateHeader(tx: ClientTransaction, orderId: string, header: HeaderChange): void {
  const { shipToAddress, billToAddress, shippingMethod, carrierCode, priority, extendedAttributes } = header;
  const json = (value: object | null | undefined) =>
    value === undefined || value === null ? null : JSON.stringify(value);
  tx.send(sql`update sales_order set
        shipping_method = case when ${shippingMethod !== undefined} then ${shippingMethod ?? null} else shipping_method end,
        carrier_code = case when ${carrierCode !== undefined} then ${carrierCode ?? null} else carrier_code end,
        priority = coalesce(${priority ?? null}::smallint, priority)
      where client_id = ${tenant} and order_id = ${orderId}`);
  if (shipToAddress !== undefined || billToAddress !== undefined || extendedAttributes !== undefined) {
    const content = sql`ship_to_address = coalesce(${json(shipToAddress)}::jsonb, ship_to_address),
      bill_to_address = case when ${billToAddress !== undefined} then ${json(billToAddress)}::jsonb else bill_to_address end,
      extended_attributes = coalesce(${json(extendedAttributes)}::jsonb, extended_attributes)`;
    tx.send(sql`update order_content set ${content} where client_id = ${tenant} and order_id = ${orderId}`);
    tx.send(sql`update sales_order set ${content}
      where client_id = ${tenant} and order_id = ${orderId} and ${hasOwnContent}`);
  }
  if (priority === undefined) return;
  tx.send(
    sql`update sales_order_line set priority = ${priority}::smallint where client_id = ${tenant} and order_id = ${orderId}`,
  );
}

/** Orders at another facility. @param moves.despatchBy ISO 8601 UTC */
export function updateFacilities(
  tx: ClientTransaction,
  moves: readonly {
    readonly orderId: string;
    readonly facilityCode: string;
    readonly despatchBy: string | undefined;
  }[],
  by: "NAMED" | "REROUTED",
): void {
  moveHeaders.send(
    tx,
    moves.map(({ orderId, facilityCode, despatchBy }) => ({
      order_id: orderId,
      distribution_centre: facilityCode,
      is_routed: by === "REROUTED",
      routed_by: by,
      despatch_by: despatchBy,
      risk_at: despatchBy && new Date(Date.parse(despatchBy) - atRiskBeforeMs).toISOString(),
    })),
  );
  for (const [facilityCode, there] of Map.groupBy(moves, (move) => move.facilityCode)) {
    tx.send(sql`update sales_order_line set facility_code = ${facilityCode}
      where client_id = ${tenant} and order_id = any(${there.map(({ orderId }) => orderId)}::text[])`);
  }
}

const moveHeaders = updateOf(salesOrder, {
  set: ["distribution_centre", "is_routed", "routed_by", "despatch_by"],
  with: { risk_at: "timestamptz?" },
  also: {
    split_facilities: sql`null::text[]`,
    at_risk_at: sql`case when sales_order.despatch_by is not distinct from given.despatch_by then sales_order.at_risk_at
      else given.risk_at end`,
  },
});

/** Stores the last requested quantity, in the stock unit. */
export function updateLineQuantity(tx: ClientTransaction, orderId: string, lineNumber: number, qty: number): void {
  tx.send(sql`update sales_order_line set feed_qty = ${formatQuantity(qty)}::numeric, feed_uom = null
      where client_id = ${tenant} and order_id = ${orderId} and line_number = ${lineNumber}`);
}

const changeable = [
  "order_id",
  "ship_to_address",
  "bill_to_address",
  "shipping_method",
  "carrier_code",
  "priority",
  "extended_attributes",
] as const;

/** The header fields of the feed that can no longer be changed once the order is packed. */
export type StoredHeader = Answered<Pick<typeof salesOrder.columns, (typeof changeable)[number]>> & {
  readonly ship_to_address: AddressElement;
  readonly bill_to_address: AddressElement | null;
  readonly extended_attributes: Readonly<Record<string, string>>;
};

const readHeaders = selectFrom(salesOrder, { by: "order_id", select: changeable, limit: 1_000 });

export function listHeaders(tx: ClientTx, orderIds: readonly string[]): Promise<StoredHeader[]> {
  return withContents(tx, orderIds, readHeaders.query(tx, orderIds) as Promise<StoredHeader[]>);
}
