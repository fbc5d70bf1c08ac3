import assert from "node:assert/strict";
import { test } from "node:test";
import Type from "typebox";
import { columnsOf } from "#/http/routes/columns.ts";
import { nullable, quantity, text } from "#/http/routes/schema.ts";
import { sql } from "#/store/db/sql.ts";

const record = Type.Object({
  poNumber: text("Number.", "PO-1"),
  qtyReceived: quantity("Received."),
  maxQty: nullable(quantity("Limit.")),
  lines: Type.Integer(),
  facility: text("Facility.", "DC1"),
});

test("a field is the column of its name, of its table or of the alias beside it, or an expression", () => {
  const columns = columnsOf(record, "o", { lines: "l", qtyReceived: "l", facility: sql`coalesce(o.dc, ${"DC1"})` });
  assert.equal(
    columns.text,
    'o.po_number as "poNumber", (l.qty_received)::float8 as "qtyReceived", (o.max_qty)::float8 as "maxQty", ' +
      'l.lines as "lines", coalesce(o.dc, $1) as "facility"',
  );
  assert.deepEqual(columns.values, ["DC1"]);
});
