import assert from "node:assert/strict";
import { test } from "node:test";
import { Compile } from "typebox/compile";
import { setUpTypeBox } from "#/http/server/validation.ts";
import type { ReportBody, ReportKind } from "#/modules/warehouse/reports/report-kind.ts";
import { createReportKinds } from "#/modules/warehouse/reports/report-kinds.ts";
import { identityOf } from "#/modules/warehouse/reports/report-repository.ts";
import { determinationContext } from "../../../../tests/support/carriers/carriers.ts";

setUpTypeBox();
const kinds = createReportKinds({
  findClient: async () => undefined,
  ssccs: { stockUp: async () => {}, take: async () => [] },
  carriers: determinationContext(),
});
const kindOf = (name: string) => kinds.find((kind) => kind.name === name) as ReportKind;

test("the report kinds are those of warehouse.md, and the example of each is a valid body", () => {
  assert.deepEqual(kinds.map(({ path }) => path).sort(), [
    "/adjustment/report",
    "/cancel/report",
    "/carrierEvent/report",
    "/count/report",
    "/despatch/report",
    "/goodsReceipt/report",
    "/hold/report",
    "/load/remove",
    "/load/report",
    "/pack/report",
    "/parcel/void",
    "/pick/report",
    "/return/report",
    "/transfer/report",
    "/unidentifiedReceipt/report",
    "/workOrder/report",
  ]);
  for (const { name, schema, example, shapeFaults, objectOf } of kinds) {
    assert.deepEqual([...Compile(schema).Errors(example)], [], name);
    assert.deepEqual(shapeFaults?.(example) ?? [], [], name);
    assert.ok(objectOf(example).ids.length > 0, name);
  }
});

test("quantities have at most three decimals, despite binary numbers; dates exist", () => {
  const { schema } = kindOf("adjustment");
  const check = Compile(schema);
  const body = (qty: number, expiryDate = "2027-03-31") => ({
    clientId: "DEMO",
    adjustmentId: "A",
    reasonCode: "FOUND",
    lines: [{ sku: "A", qty, expiryDate }],
  });
  for (const qty of [0.001, 0.1, 1.005, 421_486_591.215, -2, 999_999_999])
    assert.ok(check.Check(body(qty)), String(qty));
  for (const qty of [0.0001, 1.0005, 1_000_000_000, -1_000_000_000]) assert.ok(!check.Check(body(qty)), String(qty));
  for (const date of ["2027-02-30", "0000-01-01", "31.03.2027", ""]) assert.ok(!check.Check(body(1, date)), date);
});

test("a repeat is recognised by its ids, and its content with fields in any order", () => {
  const kind = kindOf("goodsReceipt");
  const body = { clientId: "DEMO", poNumber: "P", receiptId: "R", lines: [{ sku: "A", qty: 1 }] } as ReportBody;
  const turned = { lines: [{ qty: 1, sku: "A" }], receiptId: "R", poNumber: "P", clientId: "DEMO" } as ReportBody;
  assert.deepEqual(identityOf(kind, body, undefined).keys, ["id R"]);
  assert.deepEqual(identityOf(kind, { ...body, reportId: "X" }, "H").keys, ["report X", "id R", "header H"]);
  const { sha256 } = identityOf(kind, body, undefined);
  assert.ok(sha256.equals(identityOf(kind, { ...turned, reportId: "X" }, "H").sha256));
  assert.ok(!sha256.equals(identityOf(kind, { ...body, occurredAt: "2026-11-20T10:00:00Z" }, undefined).sha256));
  assert.deepEqual(identityOf(kindOf("pick"), kindOf("pick").example, undefined).keys, []);
});
