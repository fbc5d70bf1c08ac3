import { dayMs } from "#/kernel/values/durations.ts";

/** A repeat of a request, a document or a file is recognised for this long (rest.md §3, feeds.md §1, sftp.md). */
export const repeatKnownMs = 7 * dayMs;

/** The steps that answer requests of one kind, all in one transaction. */
export interface OnceSteps<Request, Kept, Outcome> {
  /** The kept answers to those requests that repeat accepted ones. A new statement sees what was committed meanwhile. */
  find(requests: readonly Request[]): Promise<ReadonlyMap<Request, Kept>>;
  /**
   * Does the work of the requests that repeat none.
   *
   * @param fresh these requests. Work may read before it knows them, and writes nothing until then.
   */
  run(fresh: Promise<readonly Request[]>): Promise<ReadonlyMap<Request, Outcome>>;
  isRefused(outcome: Outcome): boolean;
  /** Keeps the answers of the work. @param outcomes without those of requests that turned out to be repeats */
  keep(outcomes: ReadonlyMap<Request, Outcome>): Promise<void> | void;
}

/**
 * Answers each request once: a repeat gets the kept answer of the first, and does nothing. Two equal requests at the
 * same time find nothing at first. One then waits for a row of the other and is refused because of its effects: refused
 * requests are therefore looked up again. If neither waits, the key of the kept answer decides: the later transaction
 * fails, and its caller repeats it.
 *
 * @returns the kept answer of each repeat, and the outcome of every other request.
 */
export async function answerOnce<Request, Kept, Outcome>(
  requests: readonly Request[],
  { find, run, isRefused, keep }: OnceSteps<Request, Kept, Outcome>,
): Promise<ReadonlyMap<Request, Kept | Outcome>> {
  const before = find(requests);
  const fresh = before.then((kept) => requests.filter((request) => !kept.has(request)));
  // The work may throw first.
  fresh.catch(() => {});
  const outcomes = await run(fresh);
  const refused = [...outcomes].flatMap(([request, outcome]) => (isRefused(outcome) ? [request] : []));
  const twins = refused.length > 0 ? await find(refused) : new Map<Request, Kept>();
  const others = new Map([...outcomes].filter(([request]) => !twins.has(request)));
  await keep(others);
  return new Map<Request, Kept | Outcome>([...(await before), ...others, ...twins]);
}

/** `answerOnce` for a single request. */
export async function answerOneOnce<Kept, Outcome>(steps: {
  find(): Promise<Kept | undefined>;
  run(): Promise<Outcome>;
  isRefused(outcome: Outcome): boolean;
  /** Called for an outcome that is not refused. */
  keep(outcome: Outcome): void;
}): Promise<Kept | Outcome> {
  const only = 0;
  const answers = await answerOnce<typeof only, Kept, Outcome>([only], {
    async find() {
      const kept = await steps.find();
      return new Map(kept === undefined ? [] : [[only, kept]]);
    },
    run: async (fresh) => new Map((await fresh).length === 0 ? [] : [[only, await steps.run()]]),
    isRefused: steps.isRefused,
    keep(outcomes) {
      for (const outcome of outcomes.values()) if (!steps.isRefused(outcome)) steps.keep(outcome);
    },
  });
  return answers.get(only) as Kept | Outcome;
}
