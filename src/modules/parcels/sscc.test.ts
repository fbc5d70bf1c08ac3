import assert from "node:assert/strict";
import { test } from "node:test";
import { isSscc } from "#/kernel/values/gtin.ts";
import { createSsccMint, leaveOutNumbers } from "#/modules/parcels/index.ts";
import { reserveSerials, ssccOf } from "#/modules/parcels/sscc.ts";
import { testDatabase } from "../../../tests/support/postgres/database.ts";

const { database } = await testDatabase();

test("an SSCC is extension digit, company prefix, serial reference and check digit", () => {
  // GS1 General Specifications: the SSCC of prefix 0614141 and serial 123456789 with extension digit 0 or 1.
  assert.equal(ssccOf("0614141", 123_456_789), "006141411234567890");
  assert.equal(ssccOf("0614141", 1_234_567_890), "106141412345678908");
  assert.equal(ssccOf("0614141000", 1), "006141410000000012");
  for (const prefix of ["0614141", "06141410", "061414100", "0614141000"]) {
    for (const serial of [0, 1, 9, 999_999, 1_000_000, 123_456_789_012]) {
      const sscc = ssccOf(prefix, serial);
      assert.equal(sscc.slice(1, 1 + prefix.length), prefix);
      assert.ok(isSscc(sscc), sscc);
    }
  }
});

test("18 digits with a right check digit are an SSCC, nothing else is", () => {
  assert.ok(isSscc("106141412345678908"));
  for (const wrong of ["106141412345678909", "06141412345678908", "1061414123456789080", "10614141234567890X", ""]) {
    assert.equal(isSscc(wrong), false, wrong);
  }
});

test("each number is issued once, with any number of nodes and any block size", async () => {
  const mints = [3, 10, 1_000].map((blockSize) => createSsccMint(database, "0614141", { blockSize }));
  const taken = await Promise.all(mints.flatMap((mint) => [1, 7, 2, 25].map((count) => mint.take(count))));
  assert.deepEqual(
    taken.map(({ length }) => length),
    [1, 7, 2, 25, 1, 7, 2, 25, 1, 7, 2, 25],
  );
  const all = taken.flat();
  assert.equal(new Set(all).size, all.length);
  assert.ok(all.every(isSscc));
});

test("after a restore a twentieth of the numbers of every prefix is skipped, also of an unused prefix", async () => {
  const next = (prefix: string) => reserveSerials(database, prefix, 1);
  const before = await next("06141410");
  await leaveOutNumbers(database, "0614141001");
  assert.equal((await next("06141410")) - before, 50_000_000 + 1);
  // A prefix of ten digits has ten million numbers.
  assert.equal(await next("0614141001"), 500_000);
});
