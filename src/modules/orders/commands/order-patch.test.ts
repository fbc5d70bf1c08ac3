import assert from "node:assert/strict";
import { test } from "node:test";
import type { StoredHeader } from "#/modules/orders/commands/change-repository.ts";
import {
  changedFields,
  faultsOfMerged,
  faultsOfPatch,
  mergeHeader,
  type OrderPatch,
  placeAddresses,
} from "#/modules/orders/commands/order-patch.ts";

const leeds = { address1: "4 Mill Lane", city: "Leeds", zip: "LS1 4AP", country: "GB", phone: "1" };
const stored: StoredHeader = {
  order_id: "1",
  ship_to_address: leeds,
  bill_to_address: null,
  shipping_method: "STANDARD",
  carrier_code: "RM",
  priority: 3,
  extended_attributes: { Priority: "3", Gift: "no", Revision: "7" },
};
const changed = (patch: OrderPatch) => changedFields(stored, mergeHeader(stored, patch));
const checked = (patch: OrderPatch) => placeAddresses(stored, mergeHeader(stored, patch));

test("addresses are merged field by field, and null removes a field or a whole address", () => {
  assert.deepEqual(changed({ shipToAddress: { city: "York", phone: null, firstName: "Zoë" } }).shipToAddress, {
    address1: "4 Mill Lane",
    city: "York",
    zip: "LS1 4AP",
    country: "GB",
    firstName: "Zoë",
  });
  assert.deepEqual(changed({ billToAddress: null, shippingMethod: null }), { shippingMethod: null });
  assert.deepEqual(changed({ shipToAddress: { city: "Leeds" }, carrierCode: "RM", priority: 3 }), {});
});

test("attributes are merged by name; an attribute with a field follows the field", () => {
  const { extendedAttributes } = changed({ extendedAttributes: { Gift: null, Note: "x" }, priority: 1 });
  assert.deepEqual(extendedAttributes, { Priority: "1", Revision: "7", Note: "x" });
  assert.deepEqual(changed({ extendedAttributes: null }).extendedAttributes, { Priority: "3", Revision: "7" });
  assert.deepEqual(changed({ priority: null }), {
    priority: 5,
    extendedAttributes: { ...stored.extended_attributes, Priority: "5" },
  });
});

test("an attribute without a name or with a separate field is an error", () => {
  const names = ["Priority", "ShipPartial", " x", "", "a".repeat(65), "a/b\n", "fine", "a b"];
  const faults = faultsOfPatch({ extendedAttributes: Object.fromEntries(names.map((name) => [name, "1"])) });
  assert.deepEqual(
    faults.map(({ pointer }) => pointer.slice("#/extendedAttributes/".length)),
    ["Priority", "ShipPartial", " x", "", "a".repeat(65), "a~1b\n"],
  );
});

test("a new address must be complete", () => {
  const faults = faultsOfMerged(mergeHeader(stored, { billToAddress: { city: "York" } }));
  assert.deepEqual(
    faults.map(({ pointer }) => pointer),
    ["#/billToAddress/address1", "#/billToAddress/country"],
  );
  const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, i) => [`a${i}`, ""]));
  const [fault] = faultsOfMerged(mergeHeader(stored, { extendedAttributes: many }));
  assert.equal(fault?.pointer, "#/extendedAttributes");
});

test("countries and postcodes are checked as in the feed, together, and only where they change", () => {
  const { refusal } = checked({
    shipToAddress: { zip: "10117" },
    billToAddress: { address1: "1", city: "X", country: "ZZ" },
  });
  assert.equal(refusal?.kind, "unprocessable");
  assert.deepEqual(
    refusal?.errors?.map(({ pointer }) => pointer),
    ["#/shipToAddress/zip", "#/billToAddress/country"],
  );
  assert.match(refusal?.errors?.[0]?.message ?? "", /^'10117' is not a postcode of GB; allowed formats: /);
  const { header } = checked({ shipToAddress: { country: "deu", zip: "10117" } });
  assert.equal(header.shipToAddress?.country, "DE");
  const odd = { ...stored, ship_to_address: { ...leeds, zip: "as it came" } };
  assert.equal(placeAddresses(odd, mergeHeader(odd, { shipToAddress: { city: "York" } })).refusal, undefined);
});
