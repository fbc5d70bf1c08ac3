/**
 * Work that a facility is to do for an object, as the object stands now (warehouse.md, task). Each module says it of its
 * own objects; the warehouse module keeps the tasks.
 */
export interface Work {
  readonly type: "PURCHASE_ORDER" | "PICK" | "RETURN" | "WORK_ORDER" | "CANCEL_REQUEST" | "HOLD";
  readonly objectId: string;
  readonly facilityCode: string;
  /** False: there is none (any more); a task that was released is withdrawn. */
  readonly isWanted: boolean;
  /** 1 highest … 9. */
  readonly priority: number;
  /** ISO 8601 UTC. */
  readonly dueAt?: string | undefined;
  readonly lines: readonly WorkLine[];
  /** Of a work order: what is made of its lines. */
  readonly finishedGood?: WorkFinishedGood | undefined;
  readonly shipTo?: object | undefined;
  readonly carrierCode?: string | undefined;
}

export interface WorkFinishedGood {
  readonly sku: string;
  /** Still to be made, in integer thousandths of the stock unit. */
  readonly qty: number;
  readonly uom: string;
  /** `REPORTED`: the warehouse says what it consumed. `BACKFLUSH`: the recipe says it. */
  readonly consumption: "BACKFLUSH" | "REPORTED";
}

export interface WorkLine {
  readonly lineNumber: number;
  readonly sku: string;
  /** In integer thousandths of the stock unit. */
  readonly qty: number;
  readonly uom: string;
  readonly stockPool: string;
  /** Left out where the lot has none. */
  readonly batchRef?: string | undefined;
  /** `YYYY-MM-DD` */
  readonly expiryDate?: string | undefined;
}
