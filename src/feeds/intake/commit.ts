import { setTimeout as sleep } from "node:timers/promises";
import { answerOnce, repeatKnownMs } from "#/db/answer-once.ts";
import type { Database, Transaction, Tx } from "#/db/database.ts";
import { CommitUnknownError, noteClientOf } from "#/db/errors.ts";
import { answerRepeatedFiles, findNames, type KnownNames, recordFiles } from "#/feeds/file-names.ts";
import {
  type Batch,
  type Entry,
  type FeedClient,
  type FeedDefinition,
  pieceMsMax,
  WholeNeededError,
} from "#/feeds/intake/definition.ts";
import { type Lane, limitsOf } from "#/feeds/intake/group-commit.ts";
import type { Outcome, Submission } from "#/feeds/intake/submission.ts";
import { documentOf, eventOf, outcomeOf } from "#/feeds/intake/verdict.ts";
import { recordSent } from "#/feeds/park/console-audit.ts";
import { addOvertaken, answerSettled, settleReprocessed } from "#/feeds/park/reprocessed-documents.ts";
import * as repository from "#/feeds/repository.ts";
import { assert } from "#/kernel/assert.ts";
import type { Clock } from "#/kernel/clock.ts";
import { within } from "#/kernel/concurrency/deadline.ts";
import type { Finding } from "#/kernel/feed-codes.ts";
import { type FeedType, feedTypes } from "#/kernel/feed-types.ts";
import type { Ids } from "#/kernel/values/ids.ts";
import type { EventDraft, OutboxWriter } from "#/outbox/append.ts";

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
  readonly onCommit: () => void;
}): Committer {
  const { database, clock, ids, definitions } = context;
  const freeWriters = [...context.writers];
  // Tenants are never removed, so each is looked up once.
  const knownTenants = new Set<string>();
  const definitionOf = new Map(definitions.map((definition) => [definition.type, definition]));

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
      const at = new Date(clock.now()).toISOString();
      return database.transaction(async (tx) => {
        const [validated] = await validateAll(tx, definitionOf, [submission], { at, ids });
        const { objectId, omitted, faults: read } = submission.reading;
        const { replayOf, faults = read, warnings = [], missingSkus = [] } = validated?.entry ?? {};
        const outcome =
          replayOf === undefined
            ? outcomeOf(submission, validated?.entry)
            : (await findReplays(tx, submission.client, [replayOf]))(replayOf);
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
    const outcomes = new Map<Submission, Outcome>();
    const groups = byClient(submissions);
    try {
      // Groups of several clients only on one PostgreSQL, where each client is on the same server.
      const [first] = submissions as readonly [Submission];
      await database.ofClient(first.client.clientId).transaction(async (tx) => {
        for (const group of groups) {
          await commitClient(tx, writer, group, { lane, isArriving }, outcomes).catch((error) => {
            noteClientOf(error, (group[0] as Submission).client.clientId);
            throw error;
          });
        }
      }, limitsOf(lane));
    } catch (error) {
      if (!(error instanceof CommitUnknownError && (await wasCommitted(submissions, outcomes)))) throw error;
    } finally {
      freeWriters.push(writer);
    }
    context.onCommit();
    return submissions.map((submission) => outcomes.get(submission) as Outcome);
  }

  /** Looks up a document that the transaction has inserted. @returns false also where that cannot be known. */
  async function wasCommitted(
    submissions: readonly Submission[],
    outcomes: ReadonlyMap<Submission, Outcome>,
  ): Promise<boolean> {
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

  async function commitClient(
    tx: Transaction,
    writer: OutboxWriter,
    submissions: readonly Submission[],
    { lane, isArriving }: { readonly lane: Lane; readonly isArriving: boolean },
    outcomes: Map<Submission, Outcome>,
  ): Promise<void> {
    const { client } = submissions[0] as Submission;
    if (!knownTenants.has(client.clientId)) {
      assert(await repository.hasTenant(tx.of(client.clientId)), `client ${client.clientId} has no tenant row`);
      knownTenants.add(client.clientId);
    }
    const at = new Date(clock.now()).toISOString();
    const open = await answerSettled(tx, client, submissions, outcomes);
    const events: EventDraft[] = [];
    let names: KnownNames | undefined;
    await answerOnce<Submission, Outcome, ValidatedSubmission>(open, {
      async find(submissions) {
        const kept = await findRepeats(tx, client, submissions, at);
        for (const [submission, outcome] of kept) outcomes.set(submission, outcome);
        return kept;
      },
      async run(withoutKept) {
        const unnamed = withoutKept.then(async (submissions) => {
          names = await findNames(tx, client, submissions);
          return names ? answerRepeatedFiles(tx, client, names, submissions, at, outcomes) : submissions;
        });
        // The validation may throw first.
        unnamed.catch(() => {});
        // Small documents seldom repeat: they are validated while their keys and names are looked up, which saves a
        // round trip. Nothing is written before it is known that none repeats.
        const early =
          lane === "careful"
            ? undefined
            : await validateAll(
                tx,
                definitionOf,
                open,
                { at, ids },
                {
                  events,
                  mayWrite: async () => (await unnamed).length === open.length,
                },
              );
        const fresh = await unnamed;
        const all = isArriving
          ? await writeArriving(tx, definitionOf, fresh, at)
          : early !== undefined && fresh.length === open.length
            ? early
            : await validateAll(tx, definitionOf, fresh, { at, ids }, { events });
        return new Map(all.map((validated) => [validated.submission, validated]));
      },
      // Otherwise a sender gets [DUPLICATE] for its own retry over another node.
      isRefused: ({ entry }) => entry !== undefined && entry.faults.length > 0,
      async keep(others) {
        const validated = [...others.values()];
        const replays = validated.flatMap(({ submission, entry }) =>
          entry?.replayOf === undefined ? [] : [{ submission, token: entry.replayOf }],
        );
        if (replays.length > 0) {
          const replayOf = await findReplays(
            tx,
            client,
            replays.map(({ token }) => token),
          );
          for (const { submission, token } of replays) outcomes.set(submission, replayOf(token));
        }
        const storable = validated.filter(({ entry }) => entry?.replayOf === undefined);
        await store(tx, writer, client, storable, at, events, outcomes);
        if (names) await recordFiles(tx, client, names, [...others.keys()], at, outcomes);
      },
    });
  }
}

/** The original ACKs of repeated documents, byte for byte. */
async function findReplays(tx: Tx, client: FeedClient, tokens: readonly string[]): Promise<(token: string) => Outcome> {
  const acks = await repository.findAcks(tx.of(client.clientId), tokens);
  return (token) => {
    const original = acks.find((ack) => ack.token === token);
    assert(original, "a repeated document is stored");
    return { kind: "replayed", ...original };
  };
}

interface ValidatedSubmission {
  readonly submission: Submission;
  /** Undefined when nothing of the document could be parsed. */
  readonly entry: Entry | undefined;
}

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

/** The outcomes of documents whose key belongs to an accepted document: its ACK, or a conflict with it. */
async function findRepeats(
  tx: Transaction,
  client: FeedClient,
  submissions: readonly Submission[],
  at: string,
): Promise<ReadonlyMap<Submission, Outcome>> {
  const view = tx.of(client.clientId);
  const outcomes = new Map<Submission, Outcome>();
  const keys = submissions.flatMap(({ idempotencyKey }) => idempotencyKey ?? []);
  const bound = keys.length === 0 ? [] : await repository.findIdempotencyKeys(view, keys, at);
  if (bound.length === 0) return outcomes;
  const acks = await repository.findAcks(
    view,
    bound.map(({ token }) => token),
  );
  for (const submission of submissions) {
    const row = bound.find(
      (row) => row.feed_type === submission.type && row.idempotency_key === submission.idempotencyKey,
    );
    if (!row) continue;
    const original = acks.find(({ token }) => token === row.token);
    const isSame = row.body_sha256.equals(submission.bodySha256) && original !== undefined;
    outcomes.set(submission, isSame ? { kind: "replayed", ...original } : { kind: "keyConflict" });
  }
  return outcomes;
}

/**
 * Validates and writes a list while the rest of it is read, where nothing speaks against its acceptance.
 *
 * @throws WholeNeededError where anything does: the caller decides with the whole document, in another transaction.
 */
async function writeArriving(
  tx: Transaction,
  definitionOf: ReadonlyMap<FeedType, FeedDefinition>,
  fresh: readonly Submission[],
  at: string,
): Promise<ValidatedSubmission[]> {
  const [submission] = fresh;
  const definition = submission && definitionOf.get(submission.type);
  if (!submission?.arriving || !definition?.writePieces || fresh.length > 1) throw new WholeNeededError();
  const { client, token, arriving } = submission;
  const { pieces, whole } = arriving;
  const end = await definition.writePieces(tx, { client, token, at, pieces });
  await within(whole, pieceMsMax, () => new WholeNeededError("the end of the list is late"));
  const entry = entryOf(submission, definition);
  if (!entry || entry.faults.length > 0) throw new WholeNeededError("the document has faults");
  await end(entry);
  if (entry.faults.length > 0) throw new WholeNeededError("the document does not fit what is stored");
  return [{ submission, entry }];
}

interface ValidationWrite {
  /** Receives the events of what is written. */
  readonly events: EventDraft[];
  /** Called before each write; false ends the validation. */
  mayWrite?(): Promise<boolean>;
}

/**
 * Validates the documents type by type, and, unless it is a dry run (no `write`), writes those without a fault.
 * @returns nothing where it may not write
 */
async function validateAll(
  tx: Transaction,
  definitionOf: ReadonlyMap<FeedType, FeedDefinition>,
  submissions: readonly Submission[],
  { at, ids }: Pick<Batch<unknown>, "at" | "ids">,
  write?: ValidationWrite,
): Promise<ValidatedSubmission[]> {
  const validated = submissions.map((submission) => ({
    submission,
    entry: entryOf(submission, definitionOf.get(submission.type)),
  }));
  const inProgress = new Set(submissions.map(({ token }) => token));
  for (const type of feedTypes) {
    const definition = definitionOf.get(type);
    if (!definition) continue;
    const ofType = validated.filter(({ submission }) => submission.type === type);
    for (const entries of rounds(
      definition,
      ofType.flatMap(({ entry }) => entry ?? []),
    )) {
      const batch = { client: (ofType[0] as ValidatedSubmission).submission.client, entries, at, ids, inProgress };
      const writeBatch = await definition.validate(tx, batch);
      await addOvertaken(tx, definition, batch);
      if (!write) continue;
      if ((await write.mayWrite?.()) === false) return [];
      write.events.push(...(await writeBatch()));
    }
  }
  return validated;
}

function entryOf(submission: Submission, definition: FeedDefinition | undefined): Entry | undefined {
  const { token, receivedAt, bodySha256, reading, reprocessed } = submission;
  if (!reading.checked) return undefined;
  const { message, warnings, pieces } = reading.checked;
  const faults = [...reading.faults];
  return {
    token,
    receivedAt,
    bodySha256,
    message,
    pieces,
    faults,
    warnings: [...warnings],
    parkKey: definition?.parkKeyOf?.(message) ?? reading.objectId,
    isWithdrawal: definition?.isWithdrawal?.(message) === true,
    missingSkus: [],
    isReprocessed: reprocessed !== undefined,
    replayOf: undefined,
  };
}

/** Documents about one object take effect one after the other: each round contains an object at most once. */
function rounds(definition: FeedDefinition, entries: readonly Entry[]): Entry[][] {
  const seen = new Map<string, number>();
  const made: Entry[][] = [];
  for (const entry of entries) {
    const key = definition.keyOf(entry.message);
    const round = key === undefined ? made.length : (seen.get(key) ?? 0);
    if (key !== undefined) seen.set(key, round + 1);
    const members = made[round];
    if (members) members.push(entry);
    else made[round] = [entry];
  }
  return made;
}

/**
 * Whether a document replaces a parked one about its object. A refused document has no effect on the parked one. The
 * exception is a withdrawal: an object that its sender has withdrawn must not be created afterwards, although there was
 * nothing to withdraw yet.
 */
function isSuccessor(entry: Entry, outcome: ReturnType<typeof outcomeOf>): boolean {
  if (outcome.isAccepted || outcome.isParked) return true;
  return entry.isWithdrawal === true && entry.faults.every(({ code }) => code === "NOT_FOUND");
}

async function store(
  tx: Transaction,
  writer: OutboxWriter,
  client: FeedClient,
  validated: readonly ValidatedSubmission[],
  at: string,
  events: EventDraft[],
  outcomes: Map<Submission, Outcome>,
): Promise<void> {
  const view = tx.of(client.clientId);
  if (validated.length === 0) return;
  const documents: repository.NewDocument[] = [];
  const payloads: repository.NewPayload[] = [];
  const keys: { feedType: FeedType; key: string; token: string; bodySha256: Buffer }[] = [];
  const replaced: { feedType: FeedType; objectId: string; parkKey: string; token: string }[] = [];
  const settled: Promise<void>[] = [];
  for (const { submission, entry } of validated) {
    const outcome = outcomeOf(submission, entry);
    const document = documentOf(submission, entry, outcome);
    outcomes.set(submission, outcome);
    if (submission.reprocessed) {
      settled.push(settleReprocessed(tx, submission, document, at));
      // A document whose state is unchanged has nothing new to report.
      if (document.state !== submission.reprocessed.from) events.push(eventOf(submission, entry, outcome));
      continue;
    }
    events.push(eventOf(submission, entry, outcome));
    recordSent(tx, submission, document);
    documents.push(document);
    if (!submission.reading.isWithheld) {
      payloads.push({ token: submission.token, contentType: submission.contentType, ...submission.payload });
    }
    if (outcome.isAccepted && submission.idempotencyKey !== undefined) {
      keys.push({
        feedType: submission.type,
        key: submission.idempotencyKey,
        token: submission.token,
        bodySha256: submission.bodySha256,
      });
    }
    const { objectId } = submission.reading;
    if (
      client.settings.parkUnknownSkus &&
      objectId !== undefined &&
      entry?.parkKey !== undefined &&
      isSuccessor(entry, outcome)
    ) {
      replaced.push({ feedType: submission.type, objectId, parkKey: entry.parkKey, token: submission.token });
    }
  }
  repository.insertPayloads(view, payloads);
  repository.replaceParked(view, at, replaced);
  writer.append(view, at, events);
  await Promise.all(settled);
  const expiresAt = new Date(Date.parse(at) + repeatKnownMs).toISOString();
  repository.bindIdempotencyKeys(view, at, expiresAt, keys);
  if (documents.length > 0) repository.insertDocuments(view, documents);
}
