/** The words of the packing slip. The compiler checks that a language has all of them. */
export interface Words {
  /** Title of the paper. */
  readonly packingSlip: string;
  readonly order: string;
  /** The order reference of the buyer. */
  readonly reference: string;
  readonly orderDate: string;
  readonly packedOn: string;
  readonly parcel: string;
  readonly sscc: string;
  readonly carrier: string;
  readonly trackingNumber: string;
  readonly shipTo: string;
  readonly billTo: string;
  readonly shipFrom: string;
  readonly line: string;
  readonly article: string;
  readonly unit: string;
  /** The unit of counted goods (stock unit EA), abbreviated; other units have their codes. */
  readonly piece: string;
  readonly ordered: string;
  /** Column: quantity in this parcel. */
  readonly packed: string;
  /** Column: back-ordered quantity that follows later. */
  readonly toFollow: string;
  readonly unitPrice: string;
  readonly lineTotal: string;
  readonly batch: string;
  readonly serials: string;
  readonly subtotal: string;
  readonly shipping: string;
  readonly tax: string;
  /** The total already includes the tax. */
  readonly taxIncluded: string;
  readonly total: string;
  /** Printed below prices: the parcel may contain only a part of the order. */
  readonly pricesOfOrder: string;
  readonly giftMessage: string;
  /** `{n}`: number of the parcel, `{m}`: total. */
  readonly pieceOf: string;
  /** `{n}`: number of the page, `{m}`: total. */
  readonly page: string;
}
