import assert from "node:assert/strict";
import { test } from "node:test";
import { faultsOfPlan, faultsOfText, monthsRead, type PlanNode, type Schema } from "./plan-rules.ts";

const schema: Schema = {
  classOf: new Map([
    ["tenant", "distributed"],
    ["item", "distributed"],
    ["client", "reference"],
  ]),
  tableOf: (name) => name.replace(/_\d{4}_\d{2}$/, ""),
  newMonths: new Set(["item_2026_02"]),
  indexes: new Map([
    ["item_pkey", { columns: ["client_id", "brand", "sku"], holdsFew: false }],
    ["item_place", { columns: ["client_id", "facility_code", "position"], holdsFew: false }],
    ["item_open", { columns: ["client_id", "facility_code"], holdsFew: true }],
  ]),
};

const accepted = [
  "select sku from item where client_id = $1 limit 1",
  "select i.sku from item i join item j on j.client_id = $1 and j.sku = i.sku where i.client_id = $1 limit 10",
  "insert into item (client_id, sku) values ($1, $2)",
  "insert into item as target (client_id, sku) select $1::text, given.sku from json_to_recordset($2::json) as given(sku text)",
  "insert into item as i (client_id, sku) select t.client_id, x.s from tenant t cross join json_to_recordset($2::json) as x(s text) where t.client_id = $1 on conflict (client_id, sku) do update set name = excluded.name returning i.sku",
  "update item set name = 'now()' where client_id = $1 and sku = any($2::text[])",
  "with due as (select sku from item where client_id = $1 limit 9 for update skip locked) update item i set name = '' from due where i.client_id = $1 and i.sku = due.sku",
];
for (const text of accepted) test(`keeps the rules: ${text}`, () => assert.deepEqual(faultsOfText(text, schema), []));

const refused: readonly (readonly [fault: RegExp, text: string])[] = [
  [/1 mentions as '', 0 of them/, "select sku from item where sku = $1 limit 1"],
  [/1 mentions as '', 0 of them/, "select sku from item where client_id = $10 limit 1"],
  [
    /as 'j', 0 of them/,
    "select i.sku from item i join item j on j.client_id = i.client_id where i.client_id = $1 limit 1",
  ],
  [
    /2 mentions as '', 1 of them/,
    "select sku from item where client_id = $1 and sku in (select sku from item) limit 1",
  ],
  [/reference/, "select i.sku from item i join client c on c.client_id = $1 where i.client_id = $1 limit 1"],
  [/from elsewhere/, "insert into item (client_id, sku) select $1, x from unnest($2::text[]) x"],
  [/from elsewhere/, "insert into item (sku, client_id) values ($1, $2)"],
  [
    /from elsewhere/,
    "insert into item (client_id, sku) select $1::text, given.sku from json_to_recordset($2::json) as given(sku text) on conflict (client_id, sku) do update set sku = excluded.sku returning sku",
  ],
  [/without returning/, "insert into item (client_id, sku) values ($1, $2) on conflict (client_id, sku) do nothing"],
  [
    /calls a function/,
    "insert into item (client_id) values ($1) on conflict (client_id) do update set a = f(1) returning 1",
  ],
  [/volatile/, "update item set at = now() where client_id = $1"],
  [/volatile/, "update item set at = current_timestamp where client_id = $1"],
  [/data-modifying/, "with gone as (delete from item where client_id = $1 returning sku) select sku from gone limit 1"],
  [/list of clients/, "select sku from item where client_id = any($1::text[]) limit 1"],
  [/select \*/, "select * from item where client_id = $1 limit 1"],
  [/without a limit/, "select sku from item where client_id = $1"],
];
for (const [fault, text] of refused) {
  test(`breaks a rule: ${text}`, () => assert.match(faultsOfText(text, schema).join("\n"), fault));
}

const scan = (fields: Partial<PlanNode>): PlanNode => ({
  "Node Type": "Index Scan",
  "Relation Name": "item",
  "Index Name": "item_pkey",
  ...fields,
});
const under = (type: string, ...plans: PlanNode[]): PlanNode => ({ "Node Type": type, Plans: plans });

test("a scan by the client and a further column of the key is a good one", () => {
  assert.deepEqual(faultsOfPlan(scan({ "Index Cond": "((client_id = $1) AND (brand = $2))" }), schema), []);
  assert.deepEqual(faultsOfPlan(scan({ "Index Cond": "((client_id = $1) AND (brand > $2))" }), schema), []);
});

test("reading the client's rows in the order of the index is good up to a limit, and not when they are sorted first", () => {
  const all = scan({ "Index Cond": "(client_id = $1)" });
  assert.deepEqual(faultsOfPlan(under("Limit", all), schema), []);
  assert.match(faultsOfPlan(under("Limit", under("Sort", all)), schema).join(), /gives all rows/);
  assert.match(faultsOfPlan(all, schema).join(), /gives all rows/);
});

test("a scan that reads on where the key has a gap, or throws most of a range away, is found out", () => {
  assert.match(
    faultsOfPlan(scan({ "Index Cond": "((client_id = $1) AND (sku = $2))" }), schema).join(),
    /gives all rows/,
  );
  const range = scan({ "Index Cond": "((client_id = $1) AND (brand > $2))", Filter: "(sku = $3)" });
  assert.match(faultsOfPlan(range, schema).join(), /gives all rows/);
});

test("a range with two ends is a good one, and one that is open on a side that no parameter gives is not", () => {
  const between = "((client_id = $1) AND (brand > $2) AND (brand <= $3))";
  assert.deepEqual(faultsOfPlan(scan({ "Index Cond": between, Filter: "(sku = $3)" }), schema), []);
  const all = scan({ "Index Cond": "((client_id = $1) AND (brand > ''::text))" });
  assert.match(faultsOfPlan(all, schema).join(), /gives all rows/);
});

test("a column with few values does not select rows alone, and does not hinder the next column", () => {
  const place = (conditions: string) =>
    faultsOfPlan(scan({ "Index Name": "item_place", "Index Cond": `((client_id = $1)${conditions})` }), schema).join();
  assert.match(place(" AND (facility_code = $2)"), /gives all rows/);
  assert.match(place(' AND ("position" > $2)'), /gives all rows/);
  assert.equal(place(' AND (facility_code = $2) AND ("position" > $3)'), "");
});

test("all that an index of few rows holds may be read", () => {
  assert.deepEqual(faultsOfPlan(scan({ "Index Name": "item_open", "Index Cond": "(client_id = $1)" }), schema), []);
});

test("a scan of the whole table, or of another client's rows, is found out", () => {
  const whole = { "Node Type": "Seq Scan", "Relation Name": "item", Filter: "(client_id = $1)" };
  assert.match(faultsOfPlan(under("Limit", whole), schema).join(), /whole table/);
  assert.match(faultsOfPlan(scan({ "Index Cond": "(client_id = $10)" }), schema).join(), /without client_id/);
  const bitmap = under("Bitmap Index Scan");
  const heap = {
    "Node Type": "Bitmap Heap Scan",
    "Relation Name": "item",
    Plans: [{ ...bitmap, "Index Name": "item_pkey" }],
  };
  assert.match(faultsOfPlan(heap, schema).join(), /without client_id/);
});

test("the plan of a nearly empty month proves nothing, those of other months do", () => {
  const month = (name: string) =>
    scan({ "Relation Name": name, "Index Cond": "(client_id = $1)", Filter: "(sku = $2)" });
  assert.deepEqual(faultsOfPlan(month("item_2026_02"), schema), []);
  assert.match(
    faultsOfPlan(under("Append", month("item_2026_01"), month("item_2026_02")), schema).join(),
    /^item_pkey gives all rows of the client: .client_id = \$1. .item_2026_01.$/,
  );
});

test("the months that a plan reads are counted by table", () => {
  const month = (name: string) => scan({ "Relation Name": name });
  const plan = under("Append", month("event_2026_01"), month("event_2026_02"), month("item"));
  assert.deepEqual(monthsRead(plan, schema), new Map([["event", new Set(["event_2026_01", "event_2026_02"])]]));
});
