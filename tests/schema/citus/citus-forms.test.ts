import assert from "node:assert/strict";
import { test } from "node:test";
import type { TableClass } from "#/store/db/citus/catalogue.ts";
import type { Statement } from "#/store/db/sql.ts";
import { faultsOfTransaction } from "../transaction-rules.ts";
import { formsRefused } from "./citus-forms.ts";

const schema = {
  classOf: new Map<string, TableClass>([
    ...(["sales_order", "sales_order_line", "tenant"] as const).map((name) => [name, "distributed"] as const),
    ["parcel_key", "keyed"],
    ["client", "reference"],
    ["client_facility", "reference"],
    ["job_lease", "local"],
  ]),
};

const subquery = /^a subquery of each row: /;
const from = "from sales_order n where n.client_id = c.client_id";
const needingAllRows = [
  `n.order_id ${from} order by n.order_id limit 5`,
  `n.order_id ${from} offset 5`,
  `count(*) as order_id ${from}`,
  `distinct n.order_id ${from}`,
  `max(n.order_id) as order_id ${from}`,
  `n.order_id, sum(n.priority) ${from} group by n.order_id`,
];

test("a lateral subquery that needs all rows is refused with a table that every shard has", () => {
  const everywhere = [
    "client c",
    "(select client_id from client limit 10) c",
    "(select client_id from client limit 10) as c(client_id)",
    "unnest($1::text[], $2::text[]) as c(client_id, order_id)",
    "json_to_recordset($1::json) as c(client_id text)",
    "(select s.client_id from sales_order s order by s.received_at limit 5) c",
    "(select s.status, max(s.client_id) as client_id from sales_order s group by s.status) c",
  ];
  for (const outer of everywhere)
    for (const inner of needingAllRows) {
      const text = `select o.order_id from ${outer} cross join lateral (select ${inner}) o limit 10`;
      assert.match(formsRefused(text, schema).join(), subquery, text);
    }
  assert.match(
    formsRefused(
      `with c as materialized (select client_id from sales_order limit 5)
    select o.order_id from c cross join lateral (select ${needingAllRows[0]}) o limit 10`,
      schema,
    ).join(),
    subquery,
  );
});

test("a lateral subquery with a client's row may have any form, but only for that row", () => {
  const ofClients = [
    "tenant c",
    "(select t.client_id from tenant t where t.client_id = any($1::text[])) c",
    "(select distinct t.client_id, s.status from tenant t cross join unnest($1::text[]) as s(status)) c",
    "(select s.client_id, max(s.priority) from sales_order s group by s.client_id) c",
    "client_facility f join tenant c on c.client_id = f.client_id",
  ];
  for (const outer of ofClients)
    for (const inner of needingAllRows) {
      const text = `select o.order_id from ${outer} cross join lateral (select ${inner}) o limit 10`;
      assert.deepEqual(formsRefused(text, schema), [], text);
    }
  const text = `select o.order_id from tenant c cross join unnest($1::text[]) as s(status) cross join lateral (
    select n.order_id ${from} and n.status = s.status limit 5) o limit 10`;
  assert.deepEqual(formsRefused(text, schema), [
    `a subquery of each row: select n.order_id ${from} and n.status = s.status limit 5`,
  ]);
});

test("each part of a union of each row is looked at", () => {
  const union = (outer: string) => `select o.order_id from ${outer} cross join lateral (
      (select n.order_id ${from} limit 5) union all (select n.order_id ${from} limit 6)) o limit 10`;
  assert.equal(formsRefused(union("client c"), schema).length, 2);
  assert.deepEqual(formsRefused(union("tenant c"), schema), []);
});

test("a subquery that needs no merging is refused only where it may be missing from a row that every shard has", () => {
  const text = (join: string) =>
    `select o.order_id from client c ${join} lateral (select n.order_id ${from}) o on true limit 5`;
  assert.deepEqual(formsRefused(text("join"), schema), []);
  assert.match(formsRefused(text("left join"), schema).join(), subquery);
  const where = (table: string) => `select c.client_id from ${table} c where exists (select ${from}) limit 5`;
  assert.match(formsRefused(where("client"), schema).join(), subquery);
  assert.deepEqual(formsRefused(where("tenant"), schema), []);
});

test("a subquery that needs nothing of the row, or reaches no rows of clients, may do what it likes", () => {
  for (const text of [
    "select n.order_id from (select s.order_id from sales_order s order by s.received_at limit 5) n limit 5",
    "select g.client_id from (select count(*) as n, o.client_id from sales_order o group by o.client_id) g limit 5",
    "select c.client_id, (select max(x.name) from client x where x.client_id = c.client_id) from client c limit 5",
    "with k as materialized (select o.order_id from sales_order o limit 5) select k.order_id from k limit 5",
    "select o.order_id from sales_order o where o.status = any(array(select f.name from client f limit 10)) limit 5",
  ])
    assert.deepEqual(formsRefused(text, schema), [], text);
});

test("a value of each row is checked at any depth", () => {
  const text = (table: string) => `select o.client_id from ${table} o where exists (select from sales_order_line l
    where l.client_id = o.client_id and l.qty > (select min(m.qty) from sales_order_line m where m.client_id = l.client_id)) limit 5`;
  assert.deepEqual(formsRefused(text("sales_order"), schema), []);
  assert.match(
    formsRefused(text("client"), schema).join(),
    /^a subquery of each row: select from sales_order_line l[^,]*$/,
  );
});

test("a subquery of rows that every shard has contains no subquery of clients' rows", () => {
  const text = (condition: string) =>
    `select o.order_id from sales_order o where exists (select from (select u.code from unnest($1::text[]) as u(code)) w
      where w.code = o.facility_code and ${condition}) limit 5`;
  const ofClient = "(select min(l.sku) from sales_order_line l where l.client_id = o.client_id) > w.code";
  assert.match(formsRefused(text(ofClient), schema).join(), subquery);
  assert.deepEqual(formsRefused(text("o.status = $2"), schema), []);
});

test("a table by its own key is not joined with rows of clients", () => {
  const text =
    "select p.order_id from parcel_key k join sales_order p on p.client_id = k.client_id where k.key = $1 limit 5";
  assert.deepEqual(formsRefused(text, schema), ["a join of two keys"]);
});

test("arrays of several types need a separate subquery, arrays of one type do not", () => {
  const unnest = (type: string) => `unnest($1::text[], $2::${type}[]) as u(client_id, code)`;
  const by = "on o.client_id = n.client_id limit 5";
  const refused = (from: string) => formsRefused(`select o.order_id from sales_order o join ${from} ${by}`, schema);
  assert.deepEqual(refused(unnest("integer")), ["arrays of several types beside a table"]);
  assert.deepEqual(refused(unnest("text")), []);
  assert.deepEqual(refused(`(select u.client_id, u.code from ${unnest("integer")}) n`), []);
});

test("a subquery in FROM has a column, one in EXISTS needs none", () => {
  const text = "select count(*) from (select from sales_order where status = $1 limit $2) o limit 1";
  assert.deepEqual(formsRefused(text, schema), ["a subquery without columns"]);
  assert.deepEqual(formsRefused(text.replace("select from", "select status from"), schema), []);
  const exists =
    "select 1 from tenant t where exists (select from sales_order o where o.client_id = t.client_id) limit 1";
  assert.deepEqual(formsRefused(exists, schema), []);
});

test("grouping sets, recursion and locks over clients are refused; a lock of the coordinator's own is not", () => {
  assert.deepEqual(formsRefused("select client_id from sales_order group by rollup (client_id) limit 5", schema), [
    "grouping sets",
  ]);
  assert.deepEqual(formsRefused("with recursive r as (select 1) select 1 from r limit 1", schema), ["a recursive CTE"]);
  assert.deepEqual(formsRefused("select order_id from sales_order where status = $1 limit 1 for update", schema), [
    "a lock",
  ]);
  assert.deepEqual(formsRefused("select job from job_lease where job = $1 limit 1 for update", schema), []);
});

test("a transaction of two clients, or with a table of the coordinator and a client's rows, is found", () => {
  const statement = (text: string, client?: string): Statement => ({
    text,
    name: "",
    isTenant: client !== undefined,
    values: client === undefined ? [] : [client],
  });
  const write = (client: string) => statement("update sales_order set status = $2 where client_id = $1", client);
  const lease = statement("update job_lease set owner = $1");
  assert.deepEqual(faultsOfTransaction([write("A"), write("A")], schema), []);
  assert.deepEqual(faultsOfTransaction([lease, statement("select job from job_lease limit 1")], schema), []);
  assert.deepEqual(faultsOfTransaction([write("B"), write("A")], schema), ["names the clients A and B"]);
  assert.deepEqual(faultsOfTransaction([write("A"), lease], schema), ["changes job_lease beside a client's rows"]);
});
