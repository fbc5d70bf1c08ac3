/**
 * The current work of a facility for an object (warehouse.md, task). Each module lists the work for its objects; the
 * warehouse module keeps the tasks.
 */
export interface Work {
  readonly type: "PURCHASE_ORDER" | "PICK" | "RETURN" | "WORK_ORDER" | "CANCEL_REQUEST" | "HOLD";
  readonly objectId: string;
  readonly facilityCode: string;
  /** False: there is no work (any more); a released task is withdrawn. */
  readonly isWanted: boolean;
  /** 1 highest … 9. */
  readonly priority: number;
  /** ISO 8601 UTC. */
  readonly dueAt?: string | undefined;
  readonly lines: readonly WorkLine[];
  /** For a work order: the product of its lines. */
  readonly finishedGood?: WorkFinishedGood | undefined;
  readonly shipTo?: object | undefined;
  readonly carrierCode?: string | undefined;
}

export interface WorkFinishedGood {
  readonly sku: string;
  /** The quantity still to make, in integer thousandths of the stock unit. */
  readonly qty: number;
  readonly uom: string;
  /** `REPORTED`: the warehouse reports its consumption. `BACKFLUSH`: the recipe determines it. */
  readonly consumption: "BACKFLUSH" | "REPORTED";
}

export interface WorkLine {
  readonly lineNumber: number;
  readonly sku: string;
  /** In integer thousandths of the stock unit. */
  readonly qty: number;
  readonly uom: string;
  readonly stockPool: string;
  /** Omitted if the lot has none. */
  readonly batchRef?: string | undefined;
  /** `YYYY-MM-DD` */
  readonly expiryDate?: string | undefined;
}
