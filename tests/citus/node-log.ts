/** The errors in the log of a node. Its lines begin with `%m|%p|%a|%d|%e|`. */

/** The program and the tests cause these errors on purpose. */
const expected: readonly (readonly [code: RegExp, who: RegExp, message: RegExp])[] = [
  // A row that exists: the program answers it, and the catalogue inserts the rows of the workload again. Where rows go
  // through the coordinator, the error loses its code.
  [/^(?:23505|XX000)$/, /./, /^duplicate key value /],
  // A transaction waits for a lock for one second, also on a worker, and then is tried again. The drop of a month that
  // is being read is put off to the next run.
  [/^55P03$/, /^(?:crossdock|crossdock schema|citus_internal .*)$/, /^canceling statement due to lock timeout$/],
  // A test that ends drops its database on each node, which Citus notices by and by. Its maintenance daemon has no name.
  // An autovacuum that is at work there then is terminated as well.
  [/^57P01$/, /^/, /^terminating (?:connection|autovacuum process) due to administrator command$/],
  // A session of the coordinator that is ended so cancels what it has sent to the shards by run_command_on_shards.
  [/^57014$/, /^citus_run_command /, /^canceling statement due to user request$/],
  // A month that is dropped ends the autovacuum of its tables.
  [/^57014$/, /^/, /^canceling autovacuum task$/],
  [/^3D000$/, /./, /^database "\w+" does not exist$/],
  // A test kills a program or drops a database while a statement runs. The session notices when it writes the answer.
  [/^08006$/, /^(?:crossdock|citus_internal .*)$/, /^connection to client lost$/],
  // Citus starts the nameless daemon of a database by its OID. If the drop ends the daemon before it left, Citus starts
  // it again every 5 s until the node ends.
  [/^3D000$/, /^$/, /^database \d+ does not exist$/],
];

const error = /^[^|\n]*\|(?<pid>\d+)\|(?<who>[^|]*)\|[^|]*\|(?<code>\w{5})\|(?:ERROR|FATAL|PANIC):\s+(?<message>.*)$/gm;
/** The rows of an insert into `parcel_key` go through the coordinator. If one exists, Citus ends the COPY of the others. */
const endedCopy = /^[^|\n]*\|(\d+)\|citus_internal [^|]*\|[^|]*\|57014\|CONTEXT:\s+COPY parcel_key_\d+/gm;
const nextLines = 3;

/** Each unexpected error with the lines after it, which contain the statement. */
export function unexpectedErrors(log: string): string[] {
  const ended = new Set([...log.matchAll(endedCopy)].map(([, pid]) => pid));
  return [...log.matchAll(error)]
    .filter(({ groups }) => {
      const { pid, code = "", who = "", message = "" }: Readonly<Record<string, string | undefined>> = groups ?? {};
      if (code === "57014" && ended.has(pid)) return false;
      return !expected.some(
        ([codes, names, messages]) => codes.test(code) && names.test(who) && messages.test(message),
      );
    })
    .map(({ groups, index }) => {
      const lines = log
        .slice(index)
        .split("\n", nextLines + 1)
        .slice(1);
      return `${groups?.code} ${groups?.message} (${groups?.who})\n${lines.join("\n").slice(0, 800)}`;
    });
}
