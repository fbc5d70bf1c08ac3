/** A pack report of the warehouse (warehouse.md). */
export interface PackReport {
  readonly orderId: string;
  readonly olpns: readonly PackedOlpn[];
  /** ISO 8601 UTC; when it happened on the floor. */
  readonly occurredAt?: string | undefined;
}

export interface PackedOlpn {
  /** SSCC-18; minted if the warehouse gives none. */
  readonly olpnId?: string | undefined;
  readonly weight: number;
  readonly weightUomCode: string;
  readonly length?: number | undefined;
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  readonly dimensionsUomCode?: string | undefined;
  readonly contents: readonly PackedContent[];
  readonly carrierCode?: string | undefined;
  readonly carrierServiceCode?: string | undefined;
  readonly trackingNumber?: string | undefined;
}

export interface PackedContent {
  readonly lineNumber: number;
  /** A JSON number in the stock unit. */
  readonly qty: number;
  readonly batchRef?: string | undefined;
  readonly serials?: readonly string[] | undefined;
}
