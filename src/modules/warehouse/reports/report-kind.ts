import Type, { type TProperties, type TSchema } from "typebox";
import { closed } from "#/http/routes/schema.ts";
import { assert } from "#/kernel/assert.ts";
import type { Refusal } from "#/kernel/refusal.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";
import type { Change } from "#/store/db/audit.ts";
import type { Database, Transaction, Tx, UnitOfWork } from "#/store/db/database.ts";
import type { CommandResult } from "#/store/outbox/append.ts";

/** The source of a report: the system of a facility, or a carrier. */
export interface Reporter {
  /** Undefined for a carrier. */
  readonly facilityCode: string | undefined;
  /** Undefined for a warehouse. */
  readonly carrierCode: string | undefined;
  /** Address from which the report came. */
  readonly origin: string;
  /** An operator forces the report: a rule about the sale of goods gives way, what is not in stock stays refused. */
  readonly isForced?: boolean;
}

/** Common fields of every report (warehouse.md). */
export interface ReportBody {
  readonly clientId?: string | undefined;
  readonly reportId?: string | undefined;
  readonly occurredAt?: string | undefined;
}

/** The object of a report: after a refusal, later reports of the batch on the same object are not tried. */
interface ReportObject {
  /** The type that events use. */
  readonly type: string;
  /** One or more ids, as the report names them. */
  readonly ids: readonly string[];
}

/**
 * The result of a report for the goods of one client. A refusal with events, such as those of a hold, is committed with
 * everything that the transaction has written. A refusal without events rolls it back.
 */
export interface ClientResult extends CommandResult<Result<object, Refusal>> {
  readonly clientId: string;
}

/** One kind of report: everything that the port needs to know about it. */
export interface ReportKind<Body extends ReportBody = ReportBody, Prepared = unknown> {
  /** The name in the store, such as `pick`. */
  readonly name: string;
  /** The path below the service, such as `/pick/report`. */
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  /** The report names only the object itself, so it is never a 422. */
  readonly isNeverUnprocessable?: boolean;
  /** The report names existing stock, so the client's current stock pools do not matter. */
  readonly isOfStockOnly?: boolean;
  /**
   * Reports on one book commit in groups: `run` claims the objects that it changes, and reads no table that it has
   * written.
   */
  readonly isGrouped?: boolean;
  /** Writes numbers that are unique over all clients: on Citus they are on any node. */
  readonly writesParcelKeys?: boolean;
  readonly schema: TSchema;
  /** Schema of the answer to an accepted report. */
  readonly answer: TSchema;
  /** An accepted body, for the published document. */
  readonly example: Body;
  /** An id of the report in addition to reportId. */
  idOf?(body: Body): string | undefined;
  objectOf(body: Body): ReportObject;
  /** Faults that the schema cannot express, by pointer below the body. */
  shapeFaults?(body: Body): readonly { readonly pointer: string; readonly message: string }[];
  /** The clients of the goods, in order, if the body does not name the client. Refused if they cannot be found. */
  clientsOf?(tx: Tx, body: Body, reporter: Reporter): Promise<Result<readonly string[], Refusal>>;
  /**
   * Does work before the transaction, so that its locks are held for less time. The data may have changed when the
   * transaction begins. Writes nothing. @param at when the report was received, ISO 8601 UTC.
   */
  prepare?(
    database: Database,
    at: string,
    clientIds: readonly string[],
    body: Body,
    reporter: Reporter,
  ): Promise<Prepared>;
  /**
   * Checks first, writes last, and ends at the first refusal.
   *
   * @param clientIds the client that the body names, or the result of `clientsOf`.
   * @returns a result for each client that the report concerns.
   */
  run(
    tx: Transaction,
    change: Change,
    clientIds: readonly string[],
    body: Body,
    reporter: Reporter,
    prepared: Prepared,
  ): Promise<readonly ClientResult[]>;
}

/** The result that a domain service returns for its report. */
export type ServiceResult = Result<CommandResult, Refusal>;

export interface OneClient {
  readonly view: UnitOfWork;
  readonly facilityCode: string;
  readonly isForced?: boolean;
}

/** The place of a report about one client's goods in one facility. */
export function oneClient(
  tx: Transaction,
  change: Change,
  clientIds: readonly string[],
  { facilityCode, isForced = false }: Reporter,
): OneClient {
  const [clientId] = clientIds;
  assert(clientId !== undefined && facilityCode !== undefined, "the report names a client of the facility");
  return { view: tx.of(clientId, change), facilityCode, isForced };
}

export function resultOf(clientId: string, result: ServiceResult): ClientResult {
  if (!result.ok) return { clientId, answer: result, events: [] };
  const { answer, events } = result.value;
  return { clientId, answer: ok(answer), events };
}

/** The refusal of one client's part of a report. */
export interface ClientRefusal extends Omit<ClientResult, "answer"> {
  readonly refusal: Refusal;
}

/** Joins the answers of several clients: lists are concatenated, other fields are the same in all. */
export function joined(results: readonly ClientResult[]): Result<object, ClientRefusal> {
  const fields: Record<string, unknown> = {};
  for (const { clientId, answer, events } of results) {
    if (!answer.ok) return refused({ clientId, refusal: answer.fault, events });
    for (const [name, value] of Object.entries(answer.value)) {
      const before = fields[name];
      fields[name] = Array.isArray(before) && Array.isArray(value) ? [...before, ...value] : (before ?? value);
    }
  }
  return ok(fields);
}

// The common parts of the answers of reports: each service returns the result of its report.

export const idempotencyHeaders = Type.Object({
  "idempotency-key": Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      description:
        "Identifies the request: a repeat gets the first answer. In a batch it identifies every report by its position.",
      examples: ["7f9c2ba4-e88f-4a3c-9c07-6c5e5a1f0c11"],
    }),
  ),
});

/** Open: later versions may add fields to the result of a report. */
export const answerOf = <Fields extends TProperties>(title: string, description: string, fields: Fields) =>
  Type.Object(fields, { additionalProperties: true, title, description });

const problemSummary = Type.Object(
  {
    type: Type.String({ description: "Path of the page that explains it.", examples: ["/problems/conflict"] }),
    title: Type.String({
      description: "The kind of problem.",
      examples: ["The state of the object does not allow it"],
    }),
    status: Type.Integer({ description: "As for a single report.", examples: [409] }),
    detail: Type.String({ description: "What is wrong.", examples: ["Order WEB-100045 is cancelled."] }),
    errors: Type.Array(
      Type.Object(
        {
          pointer: Type.String({
            description: "JSON pointer into the body of the batch.",
            examples: ["#/reports/0/lines/0/serials"],
          }),
          message: Type.String({ description: "What is wrong with the field.", examples: ["is required"] }),
        },
        closed,
      ),
      { description: "The invalid fields, where the refusal concerns fields." },
    ),
  },
  { ...closed, description: "Reason of the refusal." },
);

export const batchAnswer = Type.Object(
  {
    results: Type.Array(
      Type.Object(
        {
          status: Type.Enum(["ACCEPTED", "REJECTED", "NOT_TRIED"], {
            type: "string",
            description: "NOT_TRIED: an earlier report on the same object was refused.",
            examples: ["ACCEPTED"],
          }),
          result: Type.Optional(
            Type.Unsafe<object>({
              type: "object",
              additionalProperties: true,
              description: "For an accepted report: its result, as for a single report.",
              examples: [{ orderId: "WEB-100045", status: "PICKING" }],
            }),
          ),
          problem: Type.Optional(problemSummary),
          detail: Type.Optional(
            Type.String({ description: "Why it was not attempted.", examples: ["An earlier report …"] }),
          ),
        },
        closed,
      ),
      { description: "One for each report, in the order of the batch." },
    ),
  },
  { ...closed, title: "BatchAnswer", description: "The results." },
);
