import assert from "node:assert/strict";
import { test } from "node:test";
import {
  isContention,
  isNodeAway,
  isUnavailable,
  isWorthRepeating,
  LeaseLostError,
  logLevelOf,
  OvertakenError,
  StoreUnavailableError,
  scopeOf,
  translated,
} from "#/store/db/errors.ts";

test("a temporary fault is a warning, every other fault an error", () => {
  const passing = [new StoreUnavailableError("away"), new OvertakenError("late"), new LeaseLostError("another has it")];
  assert.deepEqual(passing.map(logLevelOf), ["warn", "warn", "warn"]);
  assert.equal(logLevelOf(new TypeError("a fault of ours")), "error");
});

const refusalOf = (severity: string, code: string) =>
  Object.assign(new Error("as PostgreSQL says it"), { severity, code });

test("a full disk, or any error that ends a connection, means that the database is unavailable", () => {
  for (const code of ["53100", "53200", "53300", "53400"]) {
    assert.ok(isUnavailable(refusalOf("ERROR", code)), code);
    assert.ok(isUnavailable(refusalOf("FATAL", code)), code);
  }
  assert.ok(isUnavailable(refusalOf("FATAL", "XX000")));
  assert.ok(isUnavailable(refusalOf("PANIC", "XX000")));
  assert.ok(!isUnavailable(refusalOf("ERROR", "XX000")));
});

test("a connection that breaks while a statement is sent is not taken for a refusal of PostgreSQL", () => {
  for (const code of ["EPIPE", "ECONNRESET", "ETIMEDOUT"]) {
    assert.ok(isUnavailable(Object.assign(new Error(`write ${code}`), { code })), code);
  }
});

test("a connection refused for its password, database or settings is a permanent fault", () => {
  for (const code of ["28P01", "28000", "3D000", "42501", "22023"])
    assert.ok(!isUnavailable(refusalOf("FATAL", code)), code);
});

test("a node of Citus that is away affects its own clients", () => {
  const away = new StoreUnavailableError("away", { cause: refusalOf("ERROR", "08006") });
  assert.ok(isNodeAway(away) && isUnavailable(away));
  assert.equal(scopeOf(away), "PASSING");
  for (const error of [refusalOf("FATAL", "57P01"), new StoreUnavailableError("away"), new Error("ECONNREFUSED")]) {
    assert.ok(!isNodeAway(error));
    assert.equal(scopeOf(error), isUnavailable(error) ? "EVERYBODY" : "OWNER");
  }
});

test("an error that Citus reports without its state is known by its message", () => {
  const reported = (message: string) =>
    translated(Object.assign(new Error(message), { severity: "ERROR", code: "XX000" }));
  assert.ok(isWorthRepeating(reported('duplicate key value violates unique constraint "sales_order_pkey_102023"')));
  assert.ok(isContention(reported("canceling statement due to lock timeout")));
  assert.ok(isContention(reported("deadlock detected")));
  assert.ok(!isWorthRepeating(reported("could not open file")));
});
