import { statusOf } from "#/http/problems/problem.ts";
import type { Clock } from "#/kernel/clock.ts";
import { conflict, notFound, type Refusal, type RequestFault, unprocessable } from "#/kernel/refusal.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";
import { metrics } from "#/kernel/telemetry/metrics.ts";
import { minuteMs } from "#/kernel/values/durations.ts";
import type { Ids } from "#/kernel/values/ids.ts";
import { faultOfPool, type PoolSettings } from "#/kernel/values/stock-pools.ts";
import type { ClientProfile } from "#/modules/clients/index.ts";
import { raiseOrRefreshException, resolveException } from "#/modules/facilities/index.ts";
import { createReportTransactions } from "#/modules/warehouse/reports/report-groups.ts";
import {
  type ClientRefusal,
  type ClientResult,
  joined,
  type ReportBody,
  type Reporter,
  type ReportKind,
} from "#/modules/warehouse/reports/report-kind.ts";
import {
  findReports,
  identityOf,
  insertReports,
  type ReportIdentity,
  type ReportPlace,
} from "#/modules/warehouse/reports/report-repository.ts";
import { answerOnce } from "#/store/db/answer-once.ts";
import type { Change } from "#/store/db/audit.ts";
import type { Database, Transaction, Tx, UnitOfWork } from "#/store/db/database.ts";
import { isWorthRepeating, StoreUnavailableError } from "#/store/db/errors.ts";
import { retryOnConflict } from "#/store/db/retry-on-conflict.ts";
import type { EventDraft, OutboxWriter } from "#/store/outbox/append.ts";

export interface ReportContext {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Reads from memory. Work on a suspended client's goods continues. */
  findClient(clientId: string): Promise<ClientProfile | undefined>;
  /** Called when the client has something to publish. */
  readonly onCommit?: (clientId: string) => void;
}

export type Outcome =
  | { readonly status: "ACCEPTED"; readonly answer: object; readonly isReplay: boolean }
  | {
      readonly status: "REJECTED";
      readonly refusal: Refusal;
      /** The client whose goods cause it, if it was refused in the transaction. */
      readonly clientId?: string | undefined;
      /** One of its ids belongs to another report: no exception for an operator. */
      readonly isOfId?: true;
    };

/**
 * The operator's first step towards an accepted report, in the report's transaction: if the report is still refused,
 * it is rolled back, too.
 */
export type Preparation = (tx: UnitOfWork) => Promise<readonly EventDraft[]>;

/** Receives one report of any kind. */
export type ReportHandler = (
  kind: ReportKind,
  reporter: Reporter,
  body: ReportBody,
  headerKey?: string | undefined,
  preparation?: Preparation | undefined,
) => Promise<Outcome>;

/** A report with the keys by which a repeat is recognised. */
interface IdentifiedReport {
  readonly kind: ReportKind;
  readonly reporter: Reporter;
  readonly body: ReportBody;
  readonly identity: ReportIdentity;
}

/** The clients of a report, and what was read for it before its transaction. */
interface ReportTerms {
  readonly clientIds: readonly string[];
  readonly prepared: unknown;
  readonly preparation: Preparation | undefined;
}

const attemptsMax = 5;

/** The result of the work of a report, before its answer. */
type Work =
  | ({ readonly status: "REFUSED" } & ClientRefusal)
  | {
      readonly status: "DONE";
      readonly answer: object;
      readonly prelude: readonly EventDraft[];
      readonly results: readonly ClientResult[];
    };

/** Rolls back what a report has written for its first client before its second client refused it. */
class RollbackSignal extends Error {
  readonly outcome: Outcome;

  constructor(outcome: Outcome) {
    super(outcome.status);
    this.outcome = outcome;
  }
}

/** How far the clock of a warehouse or of a carrier may be ahead. */
const clockAheadMsMax = 15 * minuteMs;

/** A moment in the future would make later events look late, and puts movements into a day that has not come. */
function refusalOfMoment({ occurredAt }: ReportBody, at: string): Refusal | undefined {
  if (occurredAt === undefined || Date.parse(occurredAt) <= Date.parse(at) + clockAheadMsMax) return undefined;
  const message = `occurredAt ${occurredAt} is in the future: it is ${at} here; correct the clock or the offset`;
  return unprocessable(message, [{ pointer: "#/occurredAt", message }]);
}

export function createReportHandler(context: ReportContext): ReportHandler {
  const { database, clock, ids } = context;
  const transactions = createReportTransactions(context);

  async function attempt(
    { kind, reporter, body, identity }: IdentifiedReport,
    { clientIds, prepared, preparation }: ReportTerms,
  ): Promise<Outcome> {
    const change = changeBy(reporter);
    const place = placeOf(kind, reporter, body);
    const [clientId] = clientIds;
    const work = async (tx: Transaction, writer: OutboxWriter): Promise<Outcome> => {
      for (const key of identity.keys) tx.claim(JSON.stringify([place, key]));
      let hasRun = false;
      const outcome = await answerOnce<Outcome, Work>({
        find: () => findBefore(tx, place, identity),
        async run() {
          hasRun = true;
          if (clientId !== undefined) {
            const refusal = refusalOfMoment(body, change.at) ?? (await refusalOfPools(kind, body, clientId));
            if (refusal) return { status: "REFUSED", clientId, refusal, events: [] };
          }
          const prelude = (clientId !== undefined && (await preparation?.(tx.of(clientId, change)))) || [];
          const results = await kind.run(tx, change, clientIds, body, reporter, prepared);
          const answer = joined(results);
          if (!answer.ok) return { status: "REFUSED", ...answer.fault };
          return { status: "DONE", answer: answer.value, prelude, results };
        },
        isRefused: ({ status }) => status === "REFUSED",
        keep(done) {
          if (done.status === "REFUSED") return;
          if (clientId !== undefined && done.prelude.length > 0)
            writer.append(tx.of(clientId), change.at, done.prelude);
          keep(tx, place, identity, done.answer, change.at);
          for (const { clientId, events } of done.results) writer.append(tx.of(clientId), change.at, events);
          // The report was refused before and is now accepted: its exception is resolved.
          if (clientId !== undefined)
            resolveException(tx.of(clientId, change), refusalOf(kind, body), keyOf(kind, identity));
        },
      });
      if (outcome.status === "DONE") return { status: "ACCEPTED", answer: outcome.answer, isReplay: false };
      if (outcome.status !== "REFUSED") {
        if (hasRun) throw new RollbackSignal(outcome);
        return outcome;
      }
      const { clientId: refusedFor, refusal, events } = outcome;
      const rejected = { status: "REJECTED", clientId: refusedFor, refusal } as const;
      if (events.length === 0 || preparation !== undefined) throw new RollbackSignal(rejected);
      writer.append(tx.of(refusedFor), change.at, events);
      return rejected;
    };
    const isGrouped = kind.isGrouped === true && preparation === undefined && clientIds.length === 1;
    if (!isGrouped || clientId === undefined) return transactions.run(work);
    const book = { clientId, facilityCode: reporter.facilityCode ?? "" };
    return transactions.runGrouped(book, work, kind.writesParcelKeys !== true);
  }

  async function refusalOfPools(kind: ReportKind, body: ReportBody, clientId: string): Promise<Refusal | undefined> {
    const client = kind.isOfStockOnly ? undefined : await context.findClient(clientId);
    const faults = client ? faultsOfPools(body, client.settings) : [];
    if (faults.length === 0) return undefined;
    return unprocessable(faults.map(({ pointer, message }) => `${pointer.slice(2)}: ${message}.`).join(" "), faults);
  }

  function changeBy({ facilityCode, carrierCode, origin }: Reporter): Change {
    const actor = facilityCode === undefined ? `carrier:${carrierCode}` : `warehouse:${facilityCode}`;
    return { actor, origin, at: new Date(clock.now()).toISOString(), ids };
  }

  /**
   * The clients of the goods: the client that the report names, which must belong to the facility, or the clients of
   * the parcels.
   */
  async function clientsOf(
    kind: ReportKind,
    reporter: Reporter,
    body: ReportBody,
  ): Promise<Result<readonly string[], Refusal>> {
    const { facilityCode } = reporter;
    const isOfFacility = async (clientId: string) =>
      facilityCode === undefined || (await context.findClient(clientId))?.facilities.includes(facilityCode) === true;
    if (body.clientId !== undefined) {
      if (await isOfFacility(body.clientId)) return ok([body.clientId]);
      return refused(notFound(`Facility ${facilityCode} has no client ${body.clientId}.`));
    }
    return kind.clientsOf ? kind.clientsOf(database, body, reporter) : ok([]);
  }

  /**
   * Raises an exception for the operator, in a separate transaction, because the report's transaction was rolled back.
   */
  async function keepRefusal(
    { kind, reporter, body, identity }: IdentifiedReport,
    about: { readonly clientId: string; readonly refusal: Refusal },
  ): Promise<void> {
    const { facilityCode, carrierCode } = reporter;
    const exception = {
      ...refusalOf(kind, body),
      facilityCode,
      summary: about.refusal.detail,
      detail: { report: kind.name, body, status: statusOf(about.refusal), carrierCode },
    };
    await database.transaction((tx) =>
      raiseOrRefreshException(tx.of(about.clientId, changeBy(reporter)), exception, keyOf(kind, identity)),
    );
  }

  const handle: ReportHandler = async (kind, reporter, body, headerKey, preparation) => {
    const identity = identityOf(kind, body, headerKey);
    const report = { kind, reporter, body, identity };
    let isPrepared = false;
    let prepared: unknown;
    const run = async (): Promise<Outcome> => {
      const clients = await clientsOf(kind, reporter, body);
      if (!clients.ok) {
        // An accepted report stays accepted, even if its parcels no longer exist.
        const isUnnamed = body.clientId === undefined;
        const before = isUnnamed && (await findBefore(database, placeOf(kind, reporter, body), identity));
        return before || { status: "REJECTED", refusal: clients.fault };
      }
      const clientIds = clients.value;
      if (!isPrepared) prepared = await kind.prepare?.(database, changeBy(reporter).at, clientIds, body, reporter);
      isPrepared = true;
      const terms = { clientIds, prepared, preparation };
      const outcome = await attempt(report, terms).catch((error: unknown): Outcome => {
        if (!(error instanceof RollbackSignal)) throw error;
        return error.outcome;
      });
      const [clientId] = clientIds;
      const isForOperator = outcome.status === "REJECTED" && outcome.refusal.kind !== "notFound" && !outcome.isOfId;
      if (isForOperator && clientId !== undefined) {
        await keepRefusal(report, { clientId: outcome.clientId ?? clientId, refusal: outcome.refusal });
      }
      return outcome;
    };
    // A conflict with another transaction, or two reports with the same id: a new attempt sees the result of the other.
    return retryOnConflict(run, { attemptsMax, pauseMs: (attempt) => attempt * 20 }).catch((error: unknown) => {
      if (!isWorthRepeating(error)) throw error;
      throw new StoreUnavailableError("other transactions use the same stock", { cause: error });
    });
  };

  return async (kind, ...report) => {
    let outcome: "accepted" | "replayed" | "refused" | "failed" = "failed";
    try {
      const result = await handle(kind, ...report);
      outcome = result.status === "REJECTED" ? "refused" : result.isReplay ? "replayed" : "accepted";
      return result;
    } finally {
      metrics.warehouseReports.inc({ kind: kind.name, outcome });
    }
  };
}

/** The exception of a refused report, without its reason. */
function refusalOf(kind: ReportKind, body: ReportBody) {
  const { type, ids: objectIds } = kind.objectOf(body);
  return { kind: "REPORT_REFUSED", objectType: type, objectId: objectIds[0] ?? "" };
}

/** The key of the same report when it is sent again. */
function keyOf(kind: ReportKind, { sha256 }: ReportIdentity): string {
  return `${kind.name} ${sha256.toString("base64url")}`;
}

export function placeOf(kind: ReportKind, { facilityCode, carrierCode }: Reporter, body: ReportBody): ReportPlace {
  return { clientId: body.clientId ?? "", facilityCode: facilityCode ?? `carrier ${carrierCode}`, kind: kind.name };
}

/** The stored answer to the same report; a 409 if one of its ids belongs to another report. */
async function findBefore(tx: Tx, place: ReportPlace, { keys, sha256 }: ReportIdentity): Promise<Outcome | undefined> {
  if (keys.length === 0) return undefined;
  const found = await findReports(tx, place, keys);
  const other = found.find(({ body_sha256 }) => !body_sha256.equals(sha256));
  if (other) return { status: "REJECTED", refusal: usedOtherwise(other.report_key), isOfId: true };
  const [same] = found;
  return same && { status: "ACCEPTED", answer: same.answer, isReplay: true };
}

export function usedOtherwise(key: string): Refusal {
  const [sort, ...id] = key.split(" ");
  const name = sort === "header" ? "Idempotency-Key" : sort === "report" ? "reportId" : "id";
  return conflict(
    `The ${name} '${id.join(" ")}' was already accepted with other content; a new report needs a new one.`,
  );
}

function keep(tx: Transaction, place: ReportPlace, { keys, sha256 }: ReportIdentity, answer: object, at: string): void {
  insertReports(tx, place, keys, { bodySha256: sha256, answer, at });
}

interface Goods {
  readonly stockPool?: string | undefined;
}

/** The fields in which reports name goods. */
interface GoodsOfReport {
  readonly lines?: readonly Goods[];
  readonly components?: readonly Goods[];
  readonly finishedGood?: Goods;
}

/** Each stock pool of the report that the client does not have. */
function faultsOfPools(body: ReportBody, settings: PoolSettings): RequestFault[] {
  const { lines = [], components = [], finishedGood = {} } = body as GoodsOfReport;
  const places = [
    ...lines.map((goods, i) => ({ goods, pointer: `#/lines/${i}/stockPool` })),
    ...components.map((goods, i) => ({ goods, pointer: `#/components/${i}/stockPool` })),
    { goods: finishedGood, pointer: "#/finishedGood/stockPool" },
  ];
  return places.flatMap(({ goods: { stockPool }, pointer }) => {
    const message = stockPool === undefined ? undefined : faultOfPool(settings, stockPool);
    return message === undefined ? [] : [{ pointer, message }];
  });
}
