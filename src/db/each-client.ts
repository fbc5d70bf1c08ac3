import { isContention, isStoreAway } from "#/db/errors.ts";

/**
 * Runs a job's work for each client, one after the other. A failure is kept until the other clients are served, so that
 * a client whose statements time out does not stop the clients after it. An unavailable store ends the run at once.
 *
 * @throws after the last client: the failure, or an AggregateError of several. Contention is thrown only when there is
 * no other failure.
 */
export async function forEachClient<Client>(
  clients: Iterable<Client>,
  work: (client: Client) => Promise<void>,
): Promise<void> {
  const failures: unknown[] = [];
  for (const client of clients) {
    try {
      await work(client);
    } catch (error) {
      if (isStoreAway(error)) throw error;
      failures.push(error);
    }
  }
  const faults = failures.filter((failure) => !isContention(failure));
  if (faults.length > 1) throw new AggregateError(faults, `the work for ${faults.length} clients failed`);
  if (failures.length > 0) throw faults[0] ?? failures[0];
}
