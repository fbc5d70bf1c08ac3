import assert from "node:assert/strict";
import { test } from "node:test";
import { allowedValues, filterValuesOf, textOfValues, valuesLeft, withLists, wordOfValues } from "./filter-values.ts";

const options = ["LATE", "HELD", "PICKED", "PACKED"].map((value) => ({ value, label: value.toLowerCase() }));
const groups = [{ value: "PICKED,PACKED", label: "with the warehouse" }];
const filter = { options, groups };

test("values are read from a URL and written to it", () => {
  for (const text of ["", "LATE", "LATE,HELD", "!LATE", "!LATE,HELD"]) {
    assert.equal(textOfValues(filterValuesOf(text)), text);
  }
  assert.equal(textOfValues(filterValuesOf("!")), "", "a negation of nothing is no filter");
});

test("a negation allows the other values", () => {
  assert.equal(allowedValues(filter, "LATE,HELD"), "LATE,HELD");
  assert.equal(allowedValues(filter, "!LATE,HELD"), "PICKED,PACKED");
  assert.equal(allowedValues(filter, "ELSEWHERE"), "ELSEWHERE", "an unknown value is left to the API");
  assert.equal(allowedValues({ options, takesOthers: true }, "!LATE,RM"), "!LATE,RM", "not every value is known");
});

test("a filter leaves some of the known values", () => {
  const known = ["DC1", "DC2", "DC3"];
  assert.equal(valuesLeft("", known), undefined);
  assert.deepEqual(valuesLeft("DC3,DC9", known), ["DC3", "DC9"]);
  assert.deepEqual(valuesLeft("!DC1,DC3", known), ["DC2"]);
  assert.deepEqual(valuesLeft("!DC1,DC2,DC3", known), ["!DC1,DC2,DC3"], "none is not all");
});

test("values are named, up to two of them", () => {
  assert.equal(wordOfValues(filter, "LATE"), "late");
  assert.equal(wordOfValues(filter, "!LATE,HELD"), "not late, held");
  assert.equal(wordOfValues(filter, "LATE,HELD,PICKED,PACKED"), "late, held and 2 more");
  assert.equal(wordOfValues(filter, "PICKED,PACKED"), "with the warehouse");
});

test("a request has lists for the filters that take several values", () => {
  const request = { status: "LATE,HELD", limit: 100 };
  assert.deepEqual(withLists(request, "status"), { status: ["LATE", "HELD"], limit: 100 });
  assert.deepEqual(withLists({ ...request, status: undefined }, "status"), { status: undefined, limit: 100 });
});
