import assert from "node:assert/strict";
import { test } from "node:test";
import { views } from "#/db/client-view.ts";
import type { Tx } from "#/db/database.ts";
import type { FeedClient } from "#/feeds/intake/definition.ts";
import type { HoldRule } from "#/kernel/values/hold-rules.ts";
import type { OrderMessage } from "#/modules/orders/intake/check-order.ts";
import { createHoldRules } from "#/modules/orders/intake/hold-rules.ts";

/** Rules of attributes ask the store nothing. */
const noStore: Tx = { ...views, query: () => assert.fail("it asks the store") };

test("after 100 ms of patterns the other rules of an order count as met, so that a person reviews it", async () => {
  // The setting refuses as many; an older release stored them. A first match takes 3 ms or more, and none matches.
  const holdRules = Array.from({ length: 300 }, (_, i): HoldRule => {
    const pattern = `(\\pL|\\pN){${90 - (i % 30)}}[${String.fromCodePoint(0x3b1 + Math.floor(i / 30))}\\s]`;
    return { name: `r${i}`, conditions: [{ kind: "attribute", name: "GiftMessage", pattern, ignoresCase: false }] };
  });
  const client = { clientId: "DEMO", settings: { holdRules } } as unknown as FeedClient;
  const content = { lines: [], extendedAttributes: { GiftMessage: "ab".repeat(500) } };
  const message = { action: "NEW", content } as unknown as OrderMessage;
  const applied = (await createHoldRules(noStore, client, [message]))(message, "2026-11-20T10:00:00Z");
  const [hold, ...others] = applied.holds;
  assert.equal(others.length, 0);
  assert.match(hold?.reason ?? "", /\brule r299: /);
  assert.doesNotMatch(hold?.reason ?? "", /\brule r0: /);
});
