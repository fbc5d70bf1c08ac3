import { setTimeout as sleep } from "node:timers/promises";
import type { Change } from "#/db/audit.ts";
import type { Database, Transaction, Tx } from "#/db/database.ts";
import { isWorthRepeating, StoreUnavailableError } from "#/db/errors.ts";
import type { RequestFault } from "#/http/problems/problem.ts";
import type { Clock } from "#/kernel/clock.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";
import { metrics } from "#/kernel/telemetry/metrics.ts";
import type { Ids } from "#/kernel/values/ids.ts";
import { faultOfPool, type PoolSettings } from "#/kernel/values/stock-pools.ts";
import type { ClientProfile } from "#/modules/clients/index.ts";
import {
  notFound,
  type Refusal,
  raiseOrRefreshException,
  resolveException,
  unprocessable,
} from "#/modules/facilities/index.ts";
import { identityOf, type ReportIdentity } from "#/modules/warehouse/reports/report-identity.ts";
import type {
  Effect,
  ReportBody,
  Reporter,
  ReportKind,
  ReportRefusal,
} from "#/modules/warehouse/reports/report-kind.ts";
import * as repository from "#/modules/warehouse/reports/report-repository.ts";
import { createOutboxWriter, type EventDraft, type OutboxWriter } from "#/outbox/append.ts";

export interface ReportContext {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  /** From memory. A suspended client's goods go on being worked on. */
  findClient(clientId: string): Promise<ClientProfile | undefined>;
  /** There is something to publish. */
  readonly onCommit?: () => void;
}

export type Outcome =
  | { readonly status: "ACCEPTED"; readonly answer: object; readonly isReplay: boolean }
  | {
      readonly status: "REJECTED";
      readonly refusal: ReportRefusal;
      /** One of its ids was another report's: nothing for an operator. */
      readonly isOfId?: true;
    };

/**
 * What an operator does to have a report accepted, in the report's own transaction and before it: where the report is refused
 * all the same, this was not done either.
 */
export type Preparation = (tx: Transaction, change: Change, clientId: string) => Promise<readonly EventDraft[]>;

/** Receives one report of any kind. */
export type ReportDesk = (
  kind: ReportKind,
  reporter: Reporter,
  body: ReportBody,
  headerKey?: string | undefined,
  preparation?: Preparation | undefined,
) => Promise<Outcome>;

/** A report waits this long for the work on the same stock that is before it. */
const lockTimeoutMs = 3_000;
const triesMax = 5;

/** Takes back what a refused report may have written for its first client before its second one refused it. */
class RefusedSignal extends Error {
  readonly refusal: ReportRefusal;

  constructor(refusal: ReportRefusal) {
    super(refusal.detail);
    this.refusal = refusal;
  }
}

export function createReportDesk(context: ReportContext): ReportDesk {
  const { database, clock, ids } = context;
  // A writer's slot is locked to the commit: reports that run at the same time take one each.
  const writers: OutboxWriter[] = [];

  async function withWriter<T>(work: (writer: OutboxWriter) => Promise<T>): Promise<T> {
    const writer = writers.pop() ?? createOutboxWriter(ids);
    try {
      return await work(writer);
    } finally {
      writers.push(writer);
    }
  }

  async function attempt(
    kind: ReportKind,
    reporter: Reporter,
    body: ReportBody,
    identity: ReportIdentity,
    clientIds: readonly string[],
    prepared: unknown,
    preparation: Preparation | undefined,
  ): Promise<Outcome> {
    const change = changeBy(reporter);
    const place = placeOf(kind, reporter, body);
    return withWriter((writer) =>
      database.transaction(
        async (tx) => {
          const before = await findBefore(tx, place, identity);
          if (before) return before;
          const [clientId] = clientIds;
          const unknownPool = clientId === undefined ? undefined : await refusalOfPools(kind, body, clientId);
          if (unknownPool) throw new RefusedSignal(unknownPool);
          const drafts = (clientId !== undefined && (await preparation?.(tx, change, clientId))) || [];
          const result = await kind.run(tx, change, clientIds, body, reporter, prepared);
          if (!result.ok) {
            const { told } = result.fault;
            if (told === undefined || preparation !== undefined) throw new RefusedSignal(result.fault);
            for (const { clientId, drafts } of told) writer.append(tx, clientId, change.at, drafts);
            return { status: "REJECTED", refusal: result.fault } as const;
          }
          if (clientId !== undefined && drafts.length > 0) writer.append(tx, clientId, change.at, drafts);
          write(tx, writer, change, place, identity, result.value);
          // Refused before, and now right: the operator need not look at it any more.
          if (clientId !== undefined)
            resolveException(tx, change, clientId, refusalOf(kind, body), keyOf(kind, identity));
          return { status: "ACCEPTED", answer: result.value.answer, isReplay: false } as const;
        },
        { lockTimeoutMs },
      ),
    );
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

  /** Whose goods the report is about: the client that it names, which must be one of the facility's, or what the parcels say. */
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

  /** What the operator is to see of a refusal: kept in a transaction of its own, because the report's was taken back. */
  async function keepRefusal(
    kind: ReportKind,
    reporter: Reporter,
    body: ReportBody,
    identity: ReportIdentity,
    about: { readonly clientId: string; readonly refusal: Refusal },
  ): Promise<void> {
    const { facilityCode, carrierCode } = reporter;
    const exception = {
      ...refusalOf(kind, body),
      facilityCode,
      summary: about.refusal.detail,
      detail: { report: kind.name, body, status: about.refusal.status, carrierCode },
    };
    await database.transaction((tx) =>
      raiseOrRefreshException(tx, changeBy(reporter), about.clientId, exception, keyOf(kind, identity)),
    );
  }

  const judge: ReportDesk = async (kind, reporter, body, headerKey, preparation) => {
    const identity = identityOf(kind, body, headerKey);
    let prepared: { readonly it: unknown } | undefined;
    for (let tries = 1; ; tries++) {
      try {
        const clients = await clientsOf(kind, reporter, body);
        if (!clients.ok) {
          // What was accepted stays accepted, although its parcels may be nobody's by now.
          const isUnnamed = body.clientId === undefined;
          const before = isUnnamed && (await findBefore(database, placeOf(kind, reporter, body), identity));
          return before || { status: "REJECTED", refusal: clients.fault };
        }
        const { at } = changeBy(reporter);
        prepared ??= { it: await kind.prepare?.(database, at, clients.value, body, reporter) };
        const outcome = await attempt(
          ...([kind, reporter, body, identity, clients.value, prepared.it, preparation] as const),
        ).catch(async (error: unknown): Promise<Outcome> => {
          if (!(error instanceof RefusedSignal)) throw error;
          // Sent twice at once, it waited for the stock, and was refused for what the other one had done to it.
          const other = await findBefore(database, placeOf(kind, reporter, body), identity);
          return other ?? { status: "REJECTED", refusal: error.refusal };
        });
        const [clientId] = clients.value;
        const isForOperator = outcome.status === "REJECTED" && outcome.refusal.status !== 404 && !outcome.isOfId;
        if (isForOperator && clientId !== undefined) {
          const { refusal } = outcome;
          await keepRefusal(kind, reporter, body, identity, { clientId: refusal.clientId ?? clientId, refusal });
        }
        context.onCommit?.();
        return outcome;
      } catch (error) {
        // In another's way, or one of two with the same id: run again, it sees what the other has done.
        if (!isWorthRepeating(error)) throw error;
        if (tries === triesMax) throw new StoreUnavailableError("others work on the same stock", { cause: error });
        await sleep(tries * 20);
      }
    }
  };

  return async (kind, ...report) => {
    let outcome: "accepted" | "replayed" | "refused" | "failed" = "failed";
    try {
      const judged = await judge(kind, ...report);
      outcome = judged.status === "REJECTED" ? "refused" : judged.isReplay ? "replayed" : "accepted";
      return judged;
    } finally {
      metrics.warehouseReports.inc({ kind: kind.name, outcome });
    }
  };
}

/** What an operator is shown of a refused report, but for its reason. */
function refusalOf(kind: ReportKind, body: ReportBody) {
  const { type, ids: objectIds } = kind.objectOf(body);
  return { kind: "REPORT_REFUSED", objectType: type, objectId: objectIds[0] ?? "" };
}

/** The same report, sent again. */
function keyOf(kind: ReportKind, { sha256 }: ReportIdentity): string {
  return `${kind.name} ${sha256.toString("base64url")}`;
}

export function placeOf(
  kind: ReportKind,
  { facilityCode, carrierCode }: Reporter,
  body: ReportBody,
): repository.ReportPlace {
  return { clientId: body.clientId ?? "", facilityCode: facilityCode ?? `carrier ${carrierCode}`, kind: kind.name };
}

/** What was answered to the same report before; a 409 where one of its ids was another's. */
async function findBefore(
  tx: Tx,
  place: repository.ReportPlace,
  { keys, sha256 }: ReportIdentity,
): Promise<Outcome | undefined> {
  if (keys.length === 0) return undefined;
  const found = await repository.findReports(tx, place, keys);
  const other = found.find(({ body_sha256 }) => !body_sha256.equals(sha256));
  if (other) return { status: "REJECTED", refusal: usedOtherwise(other.report_key), isOfId: true };
  const [same] = found;
  return same && { status: "ACCEPTED", answer: same.answer, isReplay: true };
}

export function usedOtherwise(key: string): Refusal {
  const [sort, ...id] = key.split(" ");
  const name = sort === "header" ? "Idempotency-Key" : sort === "report" ? "reportId" : "id";
  return {
    status: 409,
    detail: `The ${name} '${id.join(" ")}' was accepted with other content before; a new report needs a new one.`,
  };
}

function write(
  tx: Transaction,
  writer: OutboxWriter,
  change: Change,
  place: repository.ReportPlace,
  { keys, sha256 }: ReportIdentity,
  { answer, told }: Effect,
): void {
  for (const key of keys) repository.insertReport(tx, place, { key, bodySha256: sha256, answer, at: change.at });
  for (const { clientId, drafts } of told) writer.append(tx, clientId, change.at, drafts);
}

interface Goods {
  readonly stockPool?: string | undefined;
}

/** Where reports name goods, whatever their kind. */
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
