/** Types of the warehouse port, as far as the simulated warehouse uses them (warehouse.md). */
import type { WorkType } from "#/modules/facilities/index.ts";

export type TaskType = WorkType;

/** Quantities are JSON numbers in the stock unit, as everywhere on the port. */
export interface TaskLine {
  readonly lineNumber: number;
  readonly sku: string;
  /** 0 in a blind count, whose lines have none. */
  readonly qty: number;
  readonly uom?: string;
  readonly stockPool?: string;
  /** For a count: the condition of the goods. */
  readonly condition?: string;
  readonly batchRef?: string;
  readonly expiryDate?: string;
}

export interface Task {
  readonly taskId: string;
  readonly type: TaskType;
  readonly clientId: string;
  readonly objectId: string;
  readonly version: number;
  readonly releasedAt: string;
  readonly withdrawnAt?: string | null;
  readonly lines: readonly TaskLine[];
  /** For a pick. */
  readonly order?: { readonly shippingMethod: string | null } | null;
  /** For a work order: the remaining quantity of the lines. */
  readonly finishedGood?: FinishedGood;
}

export interface FinishedGood {
  readonly sku: string;
  readonly qty: number;
  readonly uom: string;
  readonly consumption: "BACKFLUSH" | "REPORTED";
}

/** The fields of an item that determine how it is received and how much a parcel weighs. */
export interface Item {
  readonly clientId: string;
  readonly sku: string;
  readonly captureBatchRef?: boolean;
  readonly captureSerial?: boolean;
  readonly captureExpiry?: boolean;
  readonly minShelfLifeDays?: number;
  /** In kilograms. */
  readonly weightKg?: number;
}

/** One report to the port: `path` is what follows `/v1/warehouseService`. */
export interface Report {
  /** The action in plain words: `pack`, `deliver`. */
  readonly action: string;
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
  /** A look at the port: the path is read, and the body stays here. */
  readonly isRead?: true;
}
