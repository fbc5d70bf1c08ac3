import assert from "node:assert/strict";
import { test } from "node:test";
import { unexpectedErrors } from "./node-log.ts";

/** A line of a node's log. */
const line = (pid: number, who: string, code: string, text: string) =>
  `2026-11-22 20:31:43.624 UTC|${pid}|${who}|t_1|${code}|${text}\n`;

const worker = "citus_internal gpid=10000022400";
const duplicate = line(7, "crossdock", "23505", 'ERROR:  duplicate key value violates unique constraint "a"');
const cancelled = (pid: number) => line(pid, worker, "57014", "ERROR:  canceling statement due to user request");
const copy = (pid: number) => line(pid, worker, "57014", "CONTEXT:  COPY parcel_key_102428, line 0");

test("an error without a rule is reported with the lines after it", () => {
  const refused = line(8, "crossdock", "0A000", "ERROR:  could not run distributed query");
  const statement = line(8, "crossdock", "0A000", "STATEMENT:  select 1");
  assert.deepEqual(unexpectedErrors(duplicate + refused + statement), [
    `0A000 could not run distributed query (crossdock)\n${statement}`,
  ]);
});

test("errors that the program and the tests cause are not reported", () => {
  const late = line(9, worker, "55P03", "ERROR:  canceling statement due to lock timeout");
  const gone = line(9, "", "57P01", "ERROR:  terminating connection due to administrator command");
  const vacuum = line(9, "", "57P01", "FATAL:  terminating autovacuum process due to administrator command");
  const dropped = line(9, "", "3D000", "FATAL:  database 52531 does not exist");
  const none = line(9, "crossdock", "00000", "LOG:  ERROR:  none");
  const killed = line(9, "crossdock", "08006", "FATAL:  connection to client lost");
  const lost = line(9, worker, "08006", "FATAL:  connection to client lost");
  const ofShard = line(9, "citus_run_command gpid=1", "57014", "ERROR:  canceling statement due to user request");
  assert.deepEqual(unexpectedErrors(duplicate + late + gone + vacuum + dropped + none + killed + lost + ofShard), []);
  const others = line(9, "psql", "08006", "FATAL:  connection to client lost");
  assert.equal(unexpectedErrors(others).length, 1);
});

test("a cancelled statement is reported, unless it is the COPY of a refused insert into parcel_key", () => {
  assert.deepEqual(unexpectedErrors(cancelled(4) + copy(4)), []);
  const reported = unexpectedErrors(cancelled(4) + copy(4) + cancelled(5));
  assert.deepEqual(
    reported.map((text) => text.split("\n")[0]),
    [`57014 canceling statement due to user request (${worker})`],
  );
});
