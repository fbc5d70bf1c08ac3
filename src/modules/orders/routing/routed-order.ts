import type { OrderWishes } from "#/modules/orders/fulfilment/packing/shipment.ts";

/** The fields of an order for routing; its quantities are read when it is routed. */
export interface RoutedOrder extends OrderWishes {
  readonly distributionCentre?: string | undefined;
  readonly shipAfter?: string | undefined;
  readonly shipPartial?: boolean | undefined;
  readonly lines: readonly RoutedLine[];
}

export interface RoutedLine {
  readonly sku: string;
  readonly stockPool: string;
  /** Integer thousandths of the stock unit. */
  readonly qty: number;
  readonly components?: readonly { readonly sku: string; readonly qty: number }[] | undefined;
  readonly extendedAttributes: Readonly<Record<string, string>>;
}
