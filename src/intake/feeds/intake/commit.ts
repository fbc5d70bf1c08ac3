import { setTimeout as sleep } from "node:timers/promises";
import { type Batch, type Entry, type FeedDefinition, WholeNeededError } from "#/intake/feeds/intake/definition.ts";
import { type Lane, limitsOf } from "#/intake/feeds/intake/group-commit.ts";
import * as rare from "#/intake/feeds/intake/rare-ways.ts";
import { entryOf, type Outcome, type Outcomes, type Submission } from "#/intake/feeds/intake/submission.ts";
import { type DocumentInWork, type Group, outcomeOf, store, type Work } from "#/intake/feeds/intake/verdict.ts";
import * as repository from "#/intake/feeds/repository.ts";
import { assert } from "#/kernel/assert.ts";
import type { Clock } from "#/kernel/clock.ts";
import type { Finding } from "#/kernel/feed-codes.ts";
import { feedTypes } from "#/kernel/feed-types.ts";
import type { Ids } from "#/kernel/values/ids.ts";
import type { Database, Transaction } from "#/store/db/database.ts";
import { CommitUnknownError, noteClientOf } from "#/store/db/errors.ts";
import type { EventDraft, OutboxWriter } from "#/store/outbox/append.ts";

/** A COMMIT whose reply is lost may still run: its documents are looked up twice, this far apart. */
const secondLookMs = 250;

export interface Committer {
  /** Validates and stores the documents in one transaction, client by client; returns their outcomes in order. */
  commit(submissions: readonly Submission[], lane: Lane): Promise<readonly Outcome[]>;
  /** Validates one document by the current rules and data, and stores nothing. */
  dryRun(submission: Submission): Promise<Examination>;
}

/** The result of a document that is validated and not stored. */
export interface Examination {
  readonly outcome: Outcome;
  readonly objectId: string | undefined;
  readonly faults: readonly Finding[];
  /** Number of faults beyond the listed ones. */
  readonly omitted: number;
  readonly warnings: readonly Finding[];
  readonly missingSkus: readonly string[];
}

export function createCommitter(context: {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly definitions: readonly FeedDefinition[];
  /** One writer for each transaction that may run concurrently. */
  readonly writers: readonly OutboxWriter[];
}): Committer {
  const { database, clock, ids, definitions } = context;
  const freeWriters = [...context.writers];
  // Tenants are never removed, so each is looked up once.
  const knownTenants = new Set<string>();
  const definitionOf: Definitions = new Map(definitions.map((definition) => [definition.type, definition]));

  return {
    async commit(submissions, lane) {
      if (submissions.some(({ arriving }) => arriving)) {
        try {
          return await commitOnce(submissions, lane, { isArriving: true });
        } catch (error) {
          if (!(error instanceof WholeNeededError)) throw error;
        }
        // Outside of any transaction, because the thread may be slow.
        for (const { arriving } of submissions) await arriving?.whole;
      }
      return commitOnce(submissions, lane, { isArriving: false });
    },

    async dryRun(submission) {
      return database.transaction(async (tx) => {
        const group = groupOf(tx, [submission]);
        const [document] = documentsOf(definitionOf, [submission]) as [DocumentInWork];
        for (const round of roundsOf(definitionOf, group, [document])) await validateRound(group, round);
        const { objectId, omitted, faults: read } = submission.reading;
        const { replayOf, faults = read, warnings = [], missingSkus = [] } = document.entry ?? {};
        const replays = replayOf === undefined ? none : await rare.answerReplays(group.view, [[submission, replayOf]]);
        const outcome = replays.get(submission) ?? outcomeOf(submission, document.entry);
        return { outcome, objectId, faults, omitted, warnings, missingSkus };
      });
    },
  };

  async function commitOnce(
    submissions: readonly Submission[],
    lane: Lane,
    { isArriving }: { readonly isArriving: boolean },
  ): Promise<readonly Outcome[]> {
    const writer = freeWriters.pop();
    assert(writer, "more transactions run than there are writers");
    let outcomes: Outcomes = none;
    try {
      // Groups of several clients only on one PostgreSQL, where each client is on the same server.
      const [first] = submissions as readonly [Submission];
      await database.ofClient(first.client.clientId).transaction(async (tx) => {
        for (const ofClient of byClient(submissions)) {
          const group = groupOf(tx, ofClient);
          const added = await commitClient(group, writer, { lane, isArriving }).catch((error) => {
            noteClientOf(error, group.view.clientId);
            throw error;
          });
          outcomes = new Map([...outcomes, ...added]);
        }
      }, limitsOf(lane));
    } catch (error) {
      if (!(error instanceof CommitUnknownError && (await wasCommitted(submissions, outcomes)))) throw error;
    } finally {
      freeWriters.push(writer);
    }
    return submissions.map((submission) => outcomes.get(submission) as Outcome);
  }

  /** Looks up a document that the transaction has inserted. @returns false also where that cannot be known. */
  async function wasCommitted(submissions: readonly Submission[], outcomes: Outcomes): Promise<boolean> {
    const inserted = submissions.find(
      (submission) => submission.reprocessed === undefined && outcomes.get(submission)?.kind === "validated",
    );
    if (!inserted) return false;
    const isThere = () => repository.findDocument(database.of(inserted.client.clientId), inserted.token);
    try {
      if (await isThere()) return true;
      await sleep(secondLookMs);
      return (await isThere()) !== undefined;
    } catch {
      // The store is away. The sender repeats its document.
      return false;
    }
  }

  /** The steps of one client's documents. Each returns what it has found; the rare ways are in rare-ways.ts. */
  async function commitClient(
    group: Group,
    writer: OutboxWriter,
    { lane, isArriving }: { readonly lane: Lane; readonly isArriving: boolean },
  ): Promise<Outcomes> {
    const { view, submissions } = group;
    if (!knownTenants.has(view.clientId)) {
      assert(await repository.hasTenant(view), `client ${view.clientId} has no tenant row`);
      knownTenants.add(view.clientId);
    }
    const isAnyReprocessed = submissions.some(({ reprocessed }) => reprocessed !== undefined);
    const settled = isAnyReprocessed ? await rare.answerSettled(view, submissions) : none;
    const open = without(submissions, settled);
    const repeats = answerRepeats(group, open);
    // The validation may fail first.
    repeats.catch(() => {});
    const work = isArriving
      ? await writeArriving(group, without(open, (await repeats).outcomes))
      : await validateFresh(group, open, repeats, lane);
    const { outcomes: repeated, names } = await repeats;
    // As in db/answer-once.ts: otherwise a sender gets [DUPLICATE] for its own retry over another node.
    const refused = work.documents.filter(({ entry }) => entry !== undefined && entry.faults.length > 0);
    const twins = await findRepeats(
      group,
      refused.map(({ submission }) => submission),
    );
    const documents = work.documents.filter(({ submission }) => !twins.has(submission));
    const stored = await store(group, writer, { ...work, documents }, names);
    return new Map([...settled, ...repeated, ...twins, ...stored]);
  }

  function groupOf(tx: Transaction, submissions: readonly Submission[]): Group {
    const { client } = submissions[0] as Submission;
    return { view: tx.of(client.clientId), client, submissions, at: new Date(clock.now()).toISOString(), ids };
  }

  /**
   * Validates and writes the documents that repeat none. Small documents seldom repeat: they are validated while their
   * keys and names are looked up, which saves a round trip. Nothing is written before it is known that none repeats.
   */
  async function validateFresh(
    group: Group,
    open: readonly Submission[],
    repeats: Promise<Repeats>,
    lane: Lane,
  ): Promise<Work> {
    const areAllFresh = async () => (await repeats).outcomes.size === 0;
    if (lane !== "careful") {
      const early = await validateAndWrite(group, open, areAllFresh);
      if (await areAllFresh()) return early;
    }
    return validateAndWrite(group, without(open, (await repeats).outcomes), async () => true);
  }

  /**
   * Validates the documents round by round, and writes each round before the next one is validated.
   *
   * @param mayWrite called before each write; false ends the work
   */
  async function validateAndWrite(
    group: Group,
    submissions: readonly Submission[],
    mayWrite: () => Promise<boolean>,
  ): Promise<Work> {
    const documents = documentsOf(definitionOf, submissions);
    const events: EventDraft[] = [];
    for (const round of roundsOf(definitionOf, group, documents)) {
      const write = await validateRound(group, round);
      if (!(await mayWrite())) break;
      events.push(...(await write()));
    }
    return { documents, events };
  }

  async function writeArriving({ view, at }: Group, [submission]: readonly Submission[]): Promise<Work> {
    const definition = submission && definitionOf.get(submission.type);
    const entry = await rare.writeArriving(view, definition, submission, at);
    return { documents: [{ submission: submission as Submission, entry }], events: [] };
  }
}

interface Repeats {
  readonly outcomes: Outcomes;
  /** Where documents came as files. */
  readonly names?: rare.KnownNames;
}

const none: Outcomes = new Map();

const without = (submissions: readonly Submission[], outcomes: Outcomes): readonly Submission[] =>
  outcomes.size === 0 ? submissions : submissions.filter((submission) => !outcomes.has(submission));

function byClient(submissions: readonly Submission[]): Submission[][] {
  const groups = new Map<string, Submission[]>();
  for (const submission of submissions) {
    const group = groups.get(submission.client.clientId);
    if (group) group.push(submission);
    else groups.set(submission.client.clientId, [submission]);
  }
  // All writers process clients in the same order, so that two of them never deadlock.
  return [...groups.entries()].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, group]) => group);
}

async function answerRepeats(group: Group, open: readonly Submission[]): Promise<Repeats> {
  if (open.every(({ fileName }) => fileName === undefined)) return { outcomes: await findRepeats(group, open) };
  const [byKey, { outcomes, names }] = await Promise.all([
    findRepeats(group, open),
    rare.answerRepeatedFiles(group.view, open, group.at),
  ]);
  return { outcomes: new Map([...byKey, ...outcomes]), names };
}

/** The outcomes of documents whose key belongs to an accepted document: its ACK, or a conflict with it. */
async function findRepeats({ view, at }: Group, submissions: readonly Submission[]): Promise<Outcomes> {
  const keys = submissions.flatMap(({ idempotencyKey }) => idempotencyKey ?? []);
  const bound = keys.length === 0 ? [] : await repository.findIdempotencyKeys(view, keys, at);
  if (bound.length === 0) return none;
  const acks = await repository.findAcks(
    view,
    bound.map(({ token }) => token),
  );
  return new Map(
    submissions.flatMap((submission): [Submission, Outcome][] => {
      const row = bound.find((row) => row.feedType === submission.type && row.key === submission.idempotencyKey);
      if (!row) return [];
      const original = acks.find(({ token }) => token === row.token);
      const isSame = row.bodySha256.equals(submission.bodySha256) && original !== undefined;
      return [[submission, isSame ? { kind: "replayed", ...original } : { kind: "keyConflict" }]];
    }),
  );
}

type Definitions = ReadonlyMap<string, FeedDefinition>;

const documentsOf = (definitionOf: Definitions, submissions: readonly Submission[]): DocumentInWork[] =>
  submissions.map((submission) => ({ submission, entry: entryOf(submission, definitionOf.get(submission.type)) }));

interface Round {
  readonly definition: FeedDefinition;
  readonly batch: Batch<unknown>;
}

/**
 * The documents type by type. Those about one object take effect one after the other: each round contains an object at
 * most once.
 */
function roundsOf(definitionOf: Definitions, group: Group, documents: readonly DocumentInWork[]): Round[] {
  const { client, at, ids } = group;
  const inProgress = new Set(documents.map(({ submission }) => submission.token));
  return feedTypes.flatMap((type) => {
    const definition = definitionOf.get(type);
    if (!definition) return [];
    const entries = documents.flatMap(({ submission, entry }) => (submission.type === type && entry) || []);
    return divide(definition, entries).map((entries) => ({
      definition,
      batch: { client, entries, at, ids, inProgress },
    }));
  });
}

function divide(definition: FeedDefinition, entries: readonly Entry[]): Entry[][] {
  const seen = new Map<string, number>();
  const rounds: Entry[][] = [];
  for (const entry of entries) {
    const key = definition.keyOf(entry.message);
    const round = key === undefined ? rounds.length : (seen.get(key) ?? 0);
    if (key !== undefined) seen.set(key, round + 1);
    const members = rounds[round];
    if (members) members.push(entry);
    else rounds[round] = [entry];
  }
  return rounds;
}

/** @returns the write of the documents without a fault */
async function validateRound(
  { view }: Group,
  { definition, batch }: Round,
): Promise<() => Promise<readonly EventDraft[]>> {
  const write = await definition.validate(view, batch);
  if (batch.entries.some(({ isReprocessed }) => isReprocessed)) await rare.addOvertaken(view, definition, batch);
  return write;
}
