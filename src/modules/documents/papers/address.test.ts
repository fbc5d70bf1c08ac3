import assert from "node:assert/strict";
import { test } from "node:test";
import { bristol } from "../../../../tests/support/papers/papers.ts";
import { addressLines } from "./address.ts";

test("an address has its lines in the order of its country, without empty ones", () => {
  assert.deepEqual(addressLines(bristol, "en"), [
    ...["Muster UK Ltd", "Goods in", "Ms Zoë O’Neill", "12 Harbour Road", "Unit 4", "Bristol", "Avon", "BS1 5TY"],
    "United Kingdom",
  ]);
  const berlin = { lastName: "Groß", address1: "Weg 1", address2: " ", city: "Berlin", state: "Berlin", zip: "10117" };
  assert.deepEqual(addressLines({ ...berlin, country: "DE" }, "fr"), ["Groß", "Weg 1", "10117 Berlin", "Allemagne"]);
  const boston = { address1: "1 Main St", city: "Boston", state: "MA", zip: "02108", country: "US" };
  assert.deepEqual(addressLines(boston, "en"), ["1 Main St", "Boston, MA 02108", "United States of America"]);
  assert.deepEqual(addressLines({ city: "Oslo", zip: "0150", state: "Oslo fylke" }, "en"), ["0150 Oslo", "Oslo fylke"]);
  assert.deepEqual(addressLines({}, "en"), []);
});
