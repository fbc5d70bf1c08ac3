import assert from "node:assert/strict";
import { test } from "node:test";
import { actorOf, actorText, detailText, typeWord } from "./audit-words.ts";

test("states of an entry are words, and other values are as they were recorded", () => {
  assert.equal(
    detailText({ from: "OUT_FOR_DELIVERY", to: "DELIVERED", orderId: "WEB-1" }),
    "Out for delivery → Delivered, order id: WEB-1",
  );
  assert.equal(detailText({ status: "ON_HOLD", sku: "TEE" }), "status: On hold, sku: TEE");
  assert.equal(detailText({ from: 1, to: 2 }), "1 → 2");
});

test("a code is in plain words, whatever its first letter is", () => {
  assert.deepEqual(["purchaseOrder", "SupplierCode", "sku"].map(typeWord), ["Purchase order", "Supplier code", "Sku"]);
});

test("an actor is in words, and the words find it", () => {
  for (const [actor, words] of [
    ["user:anna", "User anna"],
    ["warehouse:DC1", "Warehouse DC1"],
    ["client:DEMO", "Client DEMO"],
    ["cli:root", "Command line, root"],
    ["worker", "worker"],
  ] as const) {
    assert.equal(actorText(actor), words);
    assert.equal(actorOf(words), actor);
    assert.equal(actorOf(actor), actor);
  }
  assert.equal(actorOf(" warehouse  DC1"), "warehouse:DC1");
});
