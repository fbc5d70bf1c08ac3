import assert from "node:assert/strict";
import { test } from "node:test";
import type { FeedClient } from "#/intake/feeds/intake/definition.ts";
import { stallMs } from "#/kernel/telemetry/loop-watch.ts";
import { type HoldRule, parseHoldRules } from "#/kernel/values/hold-rules.ts";
import type { OrderMessage } from "#/modules/orders/intake/check-order.ts";
import { createHoldRules } from "#/modules/orders/intake/hold-rules.ts";
import { views } from "#/store/db/client-view.ts";
import { stepsDuring } from "../../../../tests/support/app/steps.ts";
import { diceOf } from "../../../../tests/support/builders/dice.ts";

/** Rules of attributes ask the store nothing. */
const noStore = { ...views, query: () => assert.fail("it asks the store") }.of("DEMO");

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

test("the heaviest rules that a setting may have give other requests turns while a batch of orders is accepted", async () => {
  // 468 of 500 instructions: the states of texts of random letters are too many to be kept.
  const ruleOf = (name: string) => `${name}: attribute GiftMessage matches /[a-m].{230}${name}#/i`;
  const holdRules = parseHoldRules(`${ruleOf("x")}; ${ruleOf("y")}`);
  assert.ok(holdRules.ok);
  const client = { clientId: "DEMO", settings: { holdRules: holdRules.value } } as unknown as FeedClient;
  const dice = diceOf(1);
  const messages = Array.from({ length: 64 }, () => {
    const letters = Array.from({ length: 1_000 }, () => String.fromCharCode(97 + dice.below(26)));
    const content = { lines: [], extendedAttributes: { GiftMessage: letters.join("") } };
    return { action: "NEW", content } as unknown as OrderMessage;
  });
  const before = process.threadCpuUsage();
  const steps = await stepsDuring(() => createHoldRules(noStore, client, messages));
  const { user } = process.threadCpuUsage(before);
  assert.ok(user > stallMs * 1_000, `${user} µs are no heavy work`);
  const longest = Math.max(0, ...steps.map(({ cpuMs }) => cpuMs));
  assert.ok(longest < stallMs, `a step of ${longest} ms`);
});

test("an order for which the rules were not prepared is refused", async () => {
  const holdRules = parseHoldRules("a: country in GB");
  assert.ok(holdRules.ok);
  const client = { clientId: "DEMO", settings: { holdRules: holdRules.value } } as unknown as FeedClient;
  const message = { action: "NEW", content: { lines: [], extendedAttributes: {} } } as unknown as OrderMessage;
  const rules = await createHoldRules(noStore, client, [message]);
  assert.deepEqual(rules(message, "2026-11-20T10:00:00Z").holds, []);
  assert.throws(() => rules({ ...message }, "2026-11-20T10:00:00Z"), /not prepared/);
});
