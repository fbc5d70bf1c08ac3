/** The errors in the log of a node. Its lines begin with `%m|%p|%a|%d|%e|`. */

/** The program and the tests cause these errors on purpose. */
const expected: readonly (readonly [code: RegExp, who: RegExp, message: RegExp])[] = [
  // A row that exists: the program answers it, and the catalogue inserts the rows of the workload again. Where rows go
  // through the coordinator, the error loses its code, and Citus ends the COPY to the other shards.
  [/^(?:23505|XX000)$/, /./, /^duplicate key value /],
  [/^(?:57014|08006)$/, /^citus_internal /, /^(?:canceling statement due to user request|connection to client lost)$/],
  // A test that ends drops its database on each node, which Citus notices by and by.
  [/^57P01$/, /./, /^terminating connection due to administrator command$/],
  [/^3D000$/, /./, /^database "\w+" does not exist$/],
];

const error = /^[^|\n]*\|\d+\|(?<who>[^|]*)\|[^|]*\|(?<code>\w{5})\|(?:ERROR|FATAL|PANIC):\s+(?<message>.*)$/gm;
const nextLines = 3;

/** Each unexpected error with the lines after it, which contain the statement. */
export function unexpectedErrors(log: string): string[] {
  return [...log.matchAll(error)]
    .filter(
      ({ groups }) =>
        !expected.some(
          ([code, who, message]) =>
            code.test(groups?.code ?? "") && who.test(groups?.who ?? "") && message.test(groups?.message ?? ""),
        ),
    )
    .map(({ groups, index }) => {
      const lines = log
        .slice(index)
        .split("\n", nextLines + 1)
        .slice(1);
      return `${groups?.code} ${groups?.message} (${groups?.who})\n${lines.join("\n").slice(0, 800)}`;
    });
}
