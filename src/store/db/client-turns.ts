import { createOwnerStates } from "#/kernel/concurrency/fair-turns.ts";
import { createFairGate } from "#/kernel/concurrency/gate.ts";
import { isContention, scopeOf } from "#/store/db/errors.ts";

/** The turns of a job's clients. They are kept between the runs of the job (docs/decisions/0040-fair-turns.md). */
export interface ClientTurns {
  /**
   * Serves the owners, usually clients, turn by turn: an owner with a large backlog delays another by one turn. An
   * owner whose turn fails has a back-off, also over the next runs, and does not stop the others.
   *
   * @param work one turn; returns whether the owner has more work.
   * @param isOver no turn begins once it returns true, except the first one of the run.
   * @throws after the last turn: an AggregateError that names the owners, or an error of contention where there is no
   * other. An unavailable store ends the run at once.
   */
  run<Work>(
    owners: Iterable<readonly [owner: string, work: Work]>,
    work: (work: Work) => Promise<boolean>,
    isOver?: () => boolean,
  ): Promise<void>;
  /** The owners that the next run leaves out, because they failed. */
  listPostponed(): string[];
}

/** An owner whose turn takes this long is slow; slow owners together hold at most half of the places. */
const slowMs = 1_000;

/** @param placesMax concurrent turns, each with a connection. With one place, a turn waits for any other turn. */
export function createClientTurns(placesMax = 2): ClientTurns {
  const states = createOwnerStates({ sizeMin: 1, sizeMax: 1 }, () => performance.now());
  const gate = createFairGate(placesMax, { slowMs });
  return {
    listPostponed: () => states.listPostponed(),
    async run<Work>(
      owners: Iterable<readonly [owner: string, work: Work]>,
      work: (work: Work) => Promise<boolean>,
      isOver = () => false,
    ) {
      const failures: { readonly owner: string; readonly error: unknown }[] = [];
      let away: unknown;
      let hasBegun = false;
      const serve = async (owner: string, ownWork: Work): Promise<boolean> => {
        if (away !== undefined || (hasBegun && isOver())) return false;
        hasBegun = true;
        states.begin(owner);
        try {
          const hasMore = await work(ownWork);
          states.succeed(owner, 1);
          return hasMore;
        } catch (error) {
          const scope = scopeOf(error);
          if (scope === "EVERYBODY") away = error;
          else {
            states.fail(owner, scope);
            failures.push({ owner, error });
          }
          return false;
        }
      };
      states.forget();
      const due = states.sortByTurn(owners).filter(([owner]) => !states.isPostponed(owner));
      await Promise.all(
        due.map(async ([owner, items]) => {
          while (await gate(owner, () => serve(owner, items)));
        }),
      );
      if (away !== undefined) throw away;
      const faults = failures.filter(({ error }) => !isContention(error));
      if (faults.length > 0) {
        const names = faults.map(({ owner }) => owner).join(", ");
        throw new AggregateError(
          faults.map(({ error }) => error),
          `the work failed for ${names}`,
        );
      }
      if (failures.length > 0) throw failures[0]?.error;
    },
  };
}

/** Owners that are their own work. */
export const namesOf = (owners: Iterable<string>): [owner: string, work: string][] =>
  Array.from(owners, (owner) => [owner, owner]);
