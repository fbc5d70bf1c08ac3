import { createHash } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import Type from "typebox";
import { clientIdOf } from "#/http/access/bearer.ts";
import { type Problem, sendProblem } from "#/http/problems/problem.ts";
import { ifMatchHeader } from "#/http/requests/if-match.ts";
import { changeOf, type ServiceContext } from "#/http/routes/operation.ts";
import { exchangeOf } from "#/http/server/exchange.ts";
import { conflict, type Refusal } from "#/kernel/refusal.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";
import { answerOnce, repeatKnownMs } from "#/store/db/answer-once.ts";
import type { ClientDatabase, ClientTransaction, ClientTx, Transaction, UnitOfWork } from "#/store/db/database.ts";
import { isContention, StoreUnavailableError } from "#/store/db/errors.ts";
import { retryOnConflict } from "#/store/db/retry-on-conflict.ts";
import { sql, tenant } from "#/store/db/sql.ts";
import type { CommandResult, EventDraft } from "#/store/outbox/append.ts";

/** The answer of a write that succeeds. */
interface WriteAnswer {
  readonly status: 200 | 201 | 204;
  /** `ETag`, `Location`. */
  readonly headers: Readonly<Record<string, string>>;
  /** Null with a 204. */
  readonly body: object | null;
  /** The answer for a repeat, and the only part that is stored: the body with `"***"` in the place of secrets. */
  readonly keptBody?: object;
}

export type WriteResult = Result<CommandResult<WriteAnswer>, Problem | Refusal>;

/** The result of a write that succeeds: a 200 without headers and events if not given. */
export function answered(
  body: object | null,
  { events = [], ...more }: Partial<WriteAnswer> & { readonly events?: readonly EventDraft[] } = {},
): WriteResult {
  return ok({ answer: { status: 200, headers: {}, body, ...more }, events });
}

/** The header that every write takes (contract rest.md §2). */
const idempotencyKeyHeader = {
  "idempotency-key": Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      description:
        "A name that the client gives to this request. A repeat within seven days gets the first answer, with `Idempotent-Replayed: true`, and does nothing.",
      examples: ["5f2c1d9b-7c0a-4e53-9c3e-2a6f0c1d9b11"],
    }),
  ),
};

// Other headers are not validated.
export const createHeaders = Type.Object({ ...idempotencyKeyHeader });
export const changeHeaders = Type.Object({ ...idempotencyKeyHeader, ...ifMatchHeader });

const attemptsMax = 3;

export type WriteContext = ServiceContext;

/**
 * Runs a write in one transaction and answers its result. With an `Idempotency-Key`, a repeat of the same request gets
 * the stored answer of the first, read in the transaction that otherwise repeats the work, also while the first still
 * runs. The same key with another request is a 409. A refused write stores nothing and leaves its key free. Two writes
 * that race for a key, or for a row, run one after the other.
 *
 * @param work may run more than once, and refuses before it writes anything.
 */
export async function answerWrite(
  context: WriteContext,
  request: FastifyRequest,
  reply: FastifyReply,
  work: (tx: UnitOfWork) => Promise<WriteResult>,
  onCommit?: () => Promise<unknown>,
): Promise<FastifyReply> {
  const { database, writer } = context;
  const clientId = clientIdOf(request);
  const change = changeOf(context, request);
  const { at } = change;
  const key = keyOf(request);
  const operation = `${request.method} ${request.url}`;
  const bodySha256 = createHash("sha256")
    .update(JSON.stringify(request.body ?? null))
    .digest();

  const run = (tx: UnitOfWork): Promise<WriteResult> =>
    answerOnce<WriteResult, WriteResult>({
      async find() {
        const before = key === undefined ? undefined : await findAnswer(tx, key, at);
        return before && replay(before, operation, bodySha256);
      },
      run: () => work(tx),
      isRefused: ({ ok }) => !ok,
      keep(outcome) {
        if (!outcome.ok) return;
        const { answer, events } = outcome.value;
        if (events.length > 0) writer.append(tx, at, events);
        if (key === undefined) return;
        const { status, headers, body, keptBody = body } = answer;
        const expiresAt = new Date(Date.parse(at) + repeatKnownMs).toISOString();
        keepAnswer(tx, {
          key,
          operation,
          bodySha256,
          status,
          answer: { headers, body: keptBody },
          at,
          expiresAt,
        });
      },
    });

  // A user of the console may change tables of the coordinator besides, a client only its rows.
  const store = exchangeOf(request).operator === undefined ? database.ofClient(clientId) : database;
  const { isDryRun } = exchangeOf(request);
  const outcome = await repeated(() =>
    isDryRun
      ? tried(store, (tx) => work(tx.of(clientId, change)))
      : store.transaction((tx) => run(tx.of(clientId, change))),
  );
  if (!outcome.ok) return sendProblem(reply, outcome.fault);
  const { answer, events } = outcome.value;
  const { status, headers, body } = answer;
  exchangeOf(request).about.objectId ??= events[0]?.objectId;
  if (onCommit && !isDryRun) await onCommit();
  return reply.code(status).headers(headers).send(body);
}

/** The outcome of work whose transaction is rolled back. */
async function tried<Outcome>(store: ClientDatabase, work: (tx: Transaction) => Promise<Outcome>): Promise<Outcome> {
  const end = new Error("the end of a dry run");
  const outcomes: Outcome[] = [];
  await store
    .transaction(async (tx) => {
      outcomes.push(await work(tx));
      throw end;
    })
    .catch((error: unknown) => {
      if (error !== end) throw error;
    });
  return outcomes.pop() as Outcome;
}

/**
 * The key as it is stored. Users of the console share the namespace of their keys, the client or the platform. The
 * stored key therefore contains the user, so that no user gets the answer of another user's request. The key is hashed,
 * because the user is personal data and the length is bounded.
 */
function keyOf(request: FastifyRequest): string | undefined {
  const value = request.headers["idempotency-key"];
  const key = Array.isArray(value) ? value[0] : value;
  const { operator } = exchangeOf(request);
  if (key === undefined || operator === undefined) return key;
  const sha256 = createHash("sha256").update(JSON.stringify([operator.userName, key]));
  return `user ${sha256.digest("base64url")}`;
}

function replay(before: StoredAnswer, operation: string, bodySha256: Buffer): WriteResult {
  if (before.operation !== operation || !before.body_sha256.equals(bodySha256)) {
    return refused(conflict("The Idempotency-Key was used for another request; use a new key."));
  }
  const headers = { ...before.answer.headers, "Idempotent-Replayed": "true" };
  return answered(before.answer.body, { status: before.status as WriteAnswer["status"], headers });
}

/** When the contention lasts, the client must come back later. */
export function repeated<T>(run: () => Promise<T>): Promise<T> {
  return retryOnConflict(run, { attemptsMax }).catch((error: unknown) => {
    throw isContention(error) ? new StoreUnavailableError("the store is too busy", { cause: error }) : error;
  });
}

interface StoredAnswer {
  readonly operation: string;
  readonly body_sha256: Buffer;
  readonly status: number;
  readonly answer: { readonly headers: Readonly<Record<string, string>>; readonly body: object | null };
}

/** Written so that no index matches: the look-up uses the key, and must not scan all keys that have not expired. */
const isExpired = (at: string) => sql`(expires_at - ${at}::timestamptz <= interval '0')`;

export async function findAnswer(tx: ClientTx, key: string, at: string): Promise<StoredAnswer | undefined> {
  const rows = await tx.query<StoredAnswer>(sql`select operation, body_sha256, status, answer from rest_idempotency
      where client_id = ${tenant} and idempotency_key = ${key} and ${isExpired(at)} is false limit 1`);
  return rows[0];
}

interface NewAnswer {
  readonly key: string;
  readonly operation: string;
  readonly bodySha256: Buffer;
  readonly status: number;
  readonly answer: object;
  readonly at: string;
  readonly expiresAt: string;
}

/**
 * The primary key decides: a key that another transaction bound first fails this transaction, which is then retried.
 */
export function keepAnswer(tx: ClientTransaction, newAnswer: NewAnswer): void {
  tx.send(sql`delete from rest_idempotency
      where client_id = ${tenant} and idempotency_key = ${newAnswer.key} and ${isExpired(newAnswer.at)}`);
  tx.send(sql`insert into rest_idempotency (client_id, idempotency_key, operation, body_sha256, status, answer, expires_at)
      values (${tenant}, ${newAnswer.key}, ${newAnswer.operation}, ${newAnswer.bodySha256}, ${newAnswer.status}, ${JSON.stringify(newAnswer.answer)}::json,
        ${newAnswer.expiresAt}::timestamptz)`);
}

/** Deletes expired answers. @returns how many were deleted; fewer than `limit`: none are left. */
export async function purgeAnswers(tx: ClientTx, at: string, limit = 2_000): Promise<number> {
  const rows = await tx.query(sql`delete from rest_idempotency r
      where r.client_id = ${tenant} and r.idempotency_key = any(array(
        select o.idempotency_key from rest_idempotency o
        where o.client_id = ${tenant} and o.expires_at > '-infinity' and o.expires_at < ${at}::timestamptz
        order by o.expires_at limit ${limit}))
      returning r.status`);
  return rows.length;
}
