/** The words of the packing slip. A language is complete when it has all of them; the compiler sees to it. */
export interface Words {
  /** Title of the paper. */
  readonly packingSlip: string;
  readonly order: string;
  /** The order as the buyer knows it. */
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
  /** The unit of what is counted (stock unit EA), abbreviated; other units have their codes. */
  readonly piece: string;
  readonly ordered: string;
  /** Column: quantity in this parcel. */
  readonly packed: string;
  /** Column: back-ordered, comes later. */
  readonly toFollow: string;
  readonly unitPrice: string;
  readonly lineTotal: string;
  readonly batch: string;
  readonly serials: string;
  readonly subtotal: string;
  readonly shipping: string;
  readonly tax: string;
  /** The tax is in the total already. */
  readonly taxIncluded: string;
  readonly total: string;
  /** Stands under prices: the parcel may hold a part only. */
  readonly pricesOfOrder: string;
  readonly giftMessage: string;
  /** `{n}`: which parcel, `{m}`: of how many. */
  readonly pieceOf: string;
  /** `{n}`: which page, `{m}`: of how many. */
  readonly page: string;
}
