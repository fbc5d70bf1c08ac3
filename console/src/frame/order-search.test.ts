import assert from "node:assert/strict";
import { test } from "node:test";
import { readOrderSearch } from "./order-search.ts";

/** The filters of the list, as pairs. */
function filtersOf(text: string) {
  const search = readOrderSearch(text);
  assert.ok(search, text);
  assert.deepEqual(search.faults, [], text);
  assert.match(search.to, /^\/orders\?/);
  return Object.fromEntries(new URLSearchParams(search.to.split("?")[1]));
}

test("a text without a known field is not a search with fields", () => {
  for (const text of ["", "WEB-1000", "A:1", "https://shop.example/1", "status"]) {
    assert.equal(readOrderSearch(text), undefined, text);
  }
});

test("fields become the filters of the list, and other words the beginning of an order", () => {
  assert.deepEqual(filtersOf("status:packed client:demo Carrier:rm WEB-1"), {
    status: "PACKED",
    client: "DEMO",
    carrierCode: "RM",
    text: "WEB-1",
  });
  assert.deepEqual(filtersOf("status:!delivered,cancelled is:late priority:1"), {
    status: "!DELIVERED,CANCELLED",
    isLate: "true",
    priority: "1",
  });
  assert.deepEqual(filtersOf("facility:dc1 hold:hazmat shipping:NEXT_DAY"), {
    facility: "DC1",
    holdType: "HAZMAT_REVIEW",
    shippingMethod: "NEXT_DAY",
  });
  assert.deepEqual(filtersOf("facility:dc1,dc2 carrier:!rm,dpd"), { facility: "DC1,DC2", carrierCode: "!RM,DPD" });
  assert.deepEqual(filtersOf('customer:"Greta Archer" sku:MUG lot:B-7 serial:SN-1'), {
    customer: "Greta Archer",
    sku: "MUG",
    lotNumber: "B-7",
    serialNumber: "SN-1",
  });
  assert.deepEqual(filtersOf("is:held"), { holdType: "ANY" });
  assert.match(filtersOf("status:open").status ?? "", /^RECEIVED,.*,PACKED/);
  assert.deepEqual(filtersOf("status:on-hold"), { status: "ON_HOLD" });
});

test("a day is one day, or the beginning or the end of a range", () => {
  assert.deepEqual(filtersOf("received:2026-11-20"), { receivedOn: "2026-11-20" });
  assert.deepEqual(filtersOf("received:>2026-11-20"), { range: "2026-11-20.." });
  assert.deepEqual(filtersOf("received:<2026-11-20"), { range: "..2026-11-20" });
  assert.deepEqual(filtersOf("despatched:2026-11-20"), { despatched: "2026-11-20..2026-11-20" });
  assert.deepEqual(filtersOf("despatched:>2026-11-20"), { despatched: "2026-11-20.." });
  assert.deepEqual(filtersOf("despatched:<2026-11-20"), { despatched: "..2026-11-20" });
  assert.deepEqual(filtersOf("delivered:2026-11-20"), { deliveredOn: "2026-11-20" });
});

test("a part that cannot be read is named with what is known", () => {
  for (const [text, fault] of [
    ["status:pac", undefined],
    ["status:pa", /^status knows open, received, .*, not pa\.$/],
    ["status:", /^status has no value yet\.$/],
    ["priority:10", /^priority is 1 to 9, not 10\.$/],
    ["is:lost", /^is knows late, at-risk, held, not lost\.$/],
    ["received:2026-13-01", /^received is a day such as 2026-11-20, not 2026-13-01\.$/],
    ["hold:rain", /^hold knows any, none, .*, not rain\.$/],
    ["client:DEMO colour:red", /^colour is no field; known are status, client, .*delivered\.$/],
  ] as const) {
    const [first] = readOrderSearch(text)?.faults ?? [];
    if (fault === undefined) assert.equal(first, undefined, text);
    else assert.match(first ?? "", fault, text);
  }
});
