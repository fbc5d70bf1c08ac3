// Several pieces of work in one transaction, side by side (docs/decisions/0043). Each is written as if it were alone:
//
//   - Reads that the pieces make at the same time are sent once. Equal ones share their answer; those of a set
//     (`row-set.ts`) are one statement with the keys of all, and each piece gets its rows of the answer.
//   - Writes are kept until every piece has ended, and are sent once for all. The others are committed without a piece
//     that fails before its first write. A later failure fails all, because what they share may already count its writes.
//   - A statement says itself what it shares: the rows and keys of its set, the table that it writes, and the only one
//     that it reads. A statement without a set is sent as it is, and cannot follow a write of its piece.
//
// The pieces must not need each other's writes. A piece claims what it changes; one whose claim is taken, or which can
// only run alone, fails with AloneError, and its caller runs it again in a separate transaction.

import type { Database, Transaction, TransactionOptions } from "#/store/db/database.ts";
import type { RowSet, Statement } from "#/store/db/sql.ts";
import { AloneError, type Companion, createMemo } from "#/store/db/transaction.ts";

/**
 * Runs the pieces in one transaction.
 *
 * @returns how each piece ended, once the transaction is committed. Throws if the store fails, or if a piece fails that
 *   has already written: then nothing is committed.
 */
export async function runJoined<T>(
  database: Pick<Database, "transaction">,
  pieces: readonly ((tx: Transaction) => Promise<T>)[],
  options?: TransactionOptions,
): Promise<PromiseSettledResult<T>[]> {
  return database.transaction(async (tx) => {
    const rounds = createRounds(tx);
    const owners = new Map<string, number>();
    const once = createMemo();
    const members = pieces.map((piece, i) => {
      const member = createMember(tx, rounds, { once, claim: (key) => claim(owners, key, i), requireAlone });
      return { member, piece };
    });
    const results = await Promise.allSettled(members.map(async ({ piece, member }) => piece(member.tx)));
    rounds.throwFailure();
    const kept = members.flatMap(({ member }, i) => {
      const result = results[i];
      if (result?.status === "fulfilled") return member;
      if (member.hasWritten()) throw result?.reason;
      return [];
    });
    for (const statement of joinedWrites(kept.map(({ writes }) => writes))) tx.send(statement);
    for (const { afterCommits } of kept) for (const work of afterCommits) tx.afterCommit(work);
    return results;
  }, options);
}

function claim(owners: Map<string, number>, key: string, member: number): void {
  const owner = owners.get(key);
  if (owner !== undefined && owner !== member) throw new AloneError(`${key} is taken by other work`);
  owners.set(key, member);
}

function requireAlone(): void {
  throw new AloneError("the work cannot share its transaction");
}

interface Member {
  readonly tx: Transaction;
  readonly writes: Statement[];
  readonly afterCommits: (() => void)[];
  /** A statement of this piece has changed rows. */
  hasWritten(): boolean;
}

function createMember(tx: Transaction, rounds: Rounds, companion: Companion): Member {
  const writes: Statement[] = [];
  const afterCommits: (() => void)[] = [];
  let hasWritten = false;
  return {
    writes,
    afterCommits,
    hasWritten: () => hasWritten || writes.length > 0,
    tx: {
      ...tx,
      ...companion,
      async query<Row>(statement: Statement): Promise<Row[]> {
        const { reads, writes: written } = statement.set ?? {};
        if (written !== undefined) hasWritten = true;
        else if (writes.some(({ set }) => reads === undefined || set?.writes === undefined || set.writes === reads)) {
          throw new AloneError(`the work reads ${reads ?? "tables that it does not name"} after it has written`);
        }
        return rounds.ask(statement) as Promise<Row[]>;
      },
      send: (statement) => void writes.push(statement),
      afterCommit: (work) => afterCommits.push(work),
    },
  };
}

interface Question {
  readonly statement: Statement;
  readonly resolve: (rows: unknown[]) => void;
  readonly reject: (error: unknown) => void;
}

interface Rounds {
  ask(statement: Statement): Promise<unknown[]>;
  /** The first failure of a statement: the transaction has failed with it. */
  throwFailure(): void;
}

/** Collects the questions of all members until each of them waits, then asks them together. */
function createRounds(tx: Transaction): Rounds {
  let questions: Question[] = [];
  let failure: { readonly error: unknown } | undefined;

  function next(): void {
    const pending = questions;
    questions = [];
    for (const group of Map.groupBy(pending, ({ statement }) => signatureOf(statement)).values()) {
      ask(group).catch((error: unknown) => {
        failure ??= { error };
        for (const { reject } of group) reject(error);
      });
    }
  }

  async function ask(group: readonly Question[]): Promise<void> {
    const [first] = group as [Question];
    const { set } = first.statement;
    if (set?.keys === undefined) {
      const rows = await tx.query(first.statement);
      for (const { resolve } of group) resolve([...rows]);
      return;
    }
    const { given, answered } = set.keys as { given(row: unknown): string; answered(answer: unknown): string };
    const keysOf = group.map(({ statement }) => (statement.set as RowSet).rows.map(given));
    const byKey = new Map<string, unknown>();
    for (const [i, { statement }] of group.entries()) {
      for (const [j, row] of (statement.set as RowSet).rows.entries()) byKey.set(keysOf[i]?.[j] as string, row);
    }
    const answers = await tx.query(withRows(first.statement, [...byKey.values()]));
    const ofKey = Map.groupBy(answers, answered);
    const order = new Map(answers.map((answer, i) => [answer, i]));
    for (const [i, { resolve }] of group.entries()) {
      const rowsOfKeys = [...new Set(keysOf[i])].flatMap((key) => ofKey.get(key) ?? []);
      // The order of the statement, across the keys.
      resolve(rowsOfKeys.sort((left, right) => (order.get(left) as number) - (order.get(right) as number)));
    }
  }

  return {
    ask: (statement) =>
      new Promise((resolve, reject) => {
        // After the microtasks of this turn: every member that goes on has asked by then.
        if (questions.push({ statement, resolve, reject }) === 1) queueMicrotask(() => process.nextTick(next));
      }),
    throwFailure() {
      if (failure) throw failure.error;
    },
  };
}

/**
 * Equal for statements that can be one: the same text, and the same values besides the rows of a set. A read of a set
 * without keys is joined with its equals only.
 */
function signatureOf(statement: Statement, isWrite = false): string {
  const { name, values, set } = statement;
  const others = set && (isWrite || set.keys) ? withRows(statement, []).values : values;
  return `${name} ${JSON.stringify(others)}`;
}

function withRows(statement: Statement, rows: readonly unknown[]): Statement {
  const [client] = statement.values;
  const joined = (statement.set as RowSet).with(rows);
  return joined.isTenant ? { ...joined, values: [client, ...joined.values.slice(1)] } : joined;
}

/** The writes of all members, joined; those of one member keep their order. */
function joinedWrites(writesOf: readonly (readonly Statement[])[]): Statement[] {
  const places: { readonly signature: string; readonly statements: Statement[] }[] = [];
  for (const writes of writesOf) {
    let from = 0;
    for (const statement of writes) {
      const signature = signatureOf(statement, true);
      let at = from;
      while (at < places.length && places[at]?.signature !== signature) at++;
      if (at === places.length) places.push({ signature, statements: [] });
      places[at]?.statements.push(statement);
      from = at + 1;
    }
  }
  return places.flatMap(({ statements }) => {
    const [first] = statements as [Statement];
    if (!first.set || statements.length === 1) return statements;
    const rows = statements.flatMap(({ set }) => (set as RowSet).rows);
    return withRows(first, first.set.combine?.(rows as never[]) ?? rows);
  });
}
