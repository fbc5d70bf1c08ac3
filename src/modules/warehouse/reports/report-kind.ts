import type { TSchema } from "typebox";
import type { Change } from "#/db/audit.ts";
import type { Database, Transaction, Tx } from "#/db/database.ts";
import type { Result } from "#/kernel/result.ts";
import type { Refusal } from "#/modules/facilities/index.ts";
import type { EventDraft } from "#/outbox/append.ts";

/** Who reports: the system of a facility, or a carrier. */
export interface Reporter {
  /** Undefined for a carrier. */
  readonly facilityCode: string | undefined;
  /** Undefined for a warehouse. */
  readonly carrierCode: string | undefined;
  /** Address that the report came from. */
  readonly origin: string;
}

/** What every report may have (warehouse.md). */
export interface ReportBody {
  readonly clientId?: string | undefined;
  readonly reportId?: string | undefined;
  readonly occurredAt?: string | undefined;
}

/** What a report is about: after a refusal, later reports of the batch on the same are not tried. */
export interface ReportObject {
  /** As in events. */
  readonly type: string;
  /** One or more, as they are named by the report. */
  readonly ids: readonly string[];
}

/** What a report led to. */
export interface Effect {
  readonly answer: object;
  /** What is to be told, to whom. */
  readonly told: readonly Told[];
}

export interface Told {
  readonly clientId: string;
  readonly drafts: readonly EventDraft[];
}

/** A refusal, with the client whose goods are its reason where the report is about several. */
export interface ReportRefusal extends Refusal {
  readonly clientId?: string | undefined;
  /**
   * What the refusal itself leads to, such as a hold: all that the transaction has written, which is kept. Left out: nothing
   * is kept of what was written before it was refused.
   */
  readonly told?: readonly Told[] | undefined;
}

/** One kind of report: everything that the port needs to know about it. */
export interface ReportKind<Body extends ReportBody = ReportBody, Prepared = unknown> {
  /** `pick`: names it in the store. */
  readonly name: string;
  /** Below the service, such as `/pick/report`. */
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  /** It names nothing but the object itself, so that it is never a 422. */
  readonly isNeverUnprocessable?: boolean;
  /** It names stock that is there, whatever stock pools the client has by now. */
  readonly isOfStockOnly?: boolean;
  readonly schema: TSchema;
  /** Schema of what one accepted report answers. */
  readonly answer: TSchema;
  /** An accepted body, for the published document. */
  readonly example: Body;
  /** An id of the report itself besides reportId. */
  idOf?(body: Body): string | undefined;
  objectOf(body: Body): ReportObject;
  /** What the schema cannot say, by pointer below the body. */
  shapeFaults?(body: Body): readonly { readonly pointer: string; readonly message: string }[];
  /** Whose goods it is about, in order, where the body does not say. Refused where that cannot be found. */
  clientsOf?(tx: Tx, body: Body, reporter: Reporter): Promise<Result<readonly string[], Refusal>>;
  /**
   * What can be done before the transaction, so that its locks are held for less long. It sees what may have changed by then,
   * and writes nothing. @param at when the report came, ISO 8601 UTC.
   */
  prepare?(
    database: Database,
    at: string,
    clientIds: readonly string[],
    body: Body,
    reporter: Reporter,
  ): Promise<Prepared>;
  /** Checks first, writes last. @param clientIds the one that the body names, or those of `clientsOf`. */
  run(
    tx: Transaction,
    change: Change,
    clientIds: readonly string[],
    body: Body,
    reporter: Reporter,
    prepared: Prepared,
  ): Promise<Result<Effect, ReportRefusal>>;
}
