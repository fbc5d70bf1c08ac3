import assert from "node:assert/strict";
import { test } from "node:test";
import { allOf, codeList, sql, tenant } from "#/store/db/sql.ts";

test("values become numbered parameters and never text", () => {
  const statement = sql`select a from b where c = ${"x'; drop"} and d = ${2}`;
  assert.equal(statement.text, "select a from b where c = $1 and d = $2");
  assert.deepEqual(statement.values, ["x'; drop", 2]);
});

test("the client is always the first parameter, wherever it is mentioned", () => {
  const make = (qty: number) =>
    sql`select ${qty}::int from a where client_id = ${tenant} and b in (select b from c where client_id = ${tenant})`;
  for (const statement of [make(5), make(5)]) {
    assert.equal(
      statement.text,
      "select $2::int from a where client_id = $1 and b in (select b from c where client_id = $1)",
    );
    assert.deepEqual(statement.values, [tenant, 5]);
    assert.equal(statement.isTenant, true);
  }
});

test("spliced statements are renumbered, and share the client", () => {
  const filter = allOf([
    sql`status = ${"OPEN"}`,
    undefined,
    sql`exists (select from x where client_id = ${tenant} and y = ${7})`,
  ]);
  const statement = sql`select a from b where client_id = ${tenant} and z > ${1} and ${filter} limit ${10}`;
  assert.equal(
    statement.text,
    "select a from b where client_id = $1 and z > $2 and true and status = $3 and exists (select from x where client_id = $1 and y = $4) limit $5",
  );
  assert.deepEqual(statement.values, [tenant, 1, "OPEN", 7, 10]);
});

test("equal texts share a name, different ones do not", () => {
  const named = (n: number) => sql`select ${n}`;
  assert.equal(named(1).name, named(2).name);
  assert.notEqual(named(1).name, sql`select ${1}, 2`.name);
});

test("a list of codes is literals, so that the condition of an index is recognised", () => {
  const open = sql`select 1 from purchase_order where status in ${codeList(["OPEN", "RECEIVING"])} and po_number = ${"7"}`;
  assert.equal(open.text, "select 1 from purchase_order where status in ('OPEN', 'RECEIVING') and po_number = $1");
  assert.deepEqual(open.values, ["7"]);
  assert.throws(() => codeList(["it's"]));
});
