import { createHash } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import Type from "typebox";
import type { Database, Transaction } from "#/db/database.ts";
import { isContention, isWorthRepeating, StoreUnavailableError } from "#/db/errors.ts";
import { findAnswer, keepAnswer, type StoredAnswer } from "#/http/idempotency-repository.ts";
import { type Problem, problem, sendProblem } from "#/http/problem.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";

/** What a write answers when it succeeds. */
export interface Written {
  readonly status: 200 | 201;
  /** `ETag`, `Location`. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: object;
  /** What a repeat is answered instead, and all that is kept: the body with `"***"` in the place of secrets. */
  readonly keptBody?: object;
}

export interface WriteContext {
  readonly database: Database;
  readonly clientId: string;
  /** ISO 8601 UTC. */
  readonly at: string;
}

/** The header that every write takes (contract rest.md §2). */
export const idempotencyKeyHeader = {
  "idempotency-key": Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      description:
        "A name that the client gives to this very request: sent again within seven days, it is answered as the first time and does nothing.",
      examples: ["5f2c1d9b-7c0a-4e53-9c3e-2a6f0c1d9b11"],
    }),
  ),
};

/** operations.md §6 */
const keptMs = 7 * 86_400_000;
const attemptsMax = 3;

/**
 * Runs a write in one transaction and answers what it led to. With an `Idempotency-Key` a repeat of the same request is
 * answered as the first was, in the transaction that would do it again; the same key with another request is a 409. What
 * was refused wrote nothing and leaves its key free. Two that race for a key, or for a row, are run one after the other.
 *
 * @param work may run more than once, and refuses before it writes anything.
 */
export async function answerWrite(
  { database, clientId, at }: WriteContext,
  request: FastifyRequest,
  reply: FastifyReply,
  work: (tx: Transaction) => Promise<Result<Written, Problem>>,
): Promise<FastifyReply> {
  const key = keyOf(request);
  const operation = `${request.method} ${request.url}`;
  const bodySha256 = createHash("sha256")
    .update(JSON.stringify(request.body ?? null))
    .digest();

  const run = async (tx: Transaction): Promise<Result<Written, Problem>> => {
    if (key === undefined) return work(tx);
    const before = await findAnswer(tx, clientId, key, at);
    if (before) return replay(before, operation, bodySha256);
    const outcome = await work(tx);
    if (!outcome.ok) return outcome;
    const { status, headers, body, keptBody = body } = outcome.value;
    const expiresAt = new Date(Date.parse(at) + keptMs).toISOString();
    keepAnswer(tx, clientId, {
      key,
      operation,
      bodySha256,
      status,
      answer: { headers, body: keptBody },
      at,
      expiresAt,
    });
    return outcome;
  };

  const outcome = await repeated(() => database.transaction(run));
  if (!outcome.ok) return sendProblem(reply, outcome.fault);
  const { status, headers, body } = outcome.value;
  return reply.code(status).headers(headers).send(body);
}

function keyOf(request: FastifyRequest): string | undefined {
  const value = request.headers["idempotency-key"];
  return Array.isArray(value) ? value[0] : value;
}

function replay(before: StoredAnswer, operation: string, bodySha256: Buffer): Result<Written, Problem> {
  if (before.operation !== operation || !before.body_sha256.equals(bodySha256)) {
    return refused(
      problem("conflict", "The Idempotency-Key was used for another request before; give this one a key of its own."),
    );
  }
  return ok({ status: before.status as Written["status"], ...before.answer });
}

/** What only stood in another's way is run again; when it goes on for long, the client is to come back later. */
async function repeated<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run();
    } catch (error) {
      if (!isWorthRepeating(error)) throw error;
      if (attempt < attemptsMax) continue;
      if (isContention(error)) throw new StoreUnavailableError("the store is too busy", { cause: error });
      throw error;
    }
  }
}
