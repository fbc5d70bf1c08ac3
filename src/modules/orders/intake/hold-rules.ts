// The hold rules of a client (kernel/values/hold-rules.ts), applied to its documents.
import { setImmediate as nextTurn } from "node:timers/promises";
import type { FeedClient } from "#/intake/feeds/intake/definition.ts";
import { assert } from "#/kernel/assert.ts";
import { compareAmounts, normaliseAmount, sumAmounts } from "#/kernel/values/amount.ts";
import { isHazmat } from "#/kernel/values/dangerous-goods.ts";
import { conditionsText, type HoldCondition, type HoldRule } from "#/kernel/values/hold-rules.ts";
import { type Pattern, parsePattern } from "#/kernel/values/pattern.ts";
import { findHazmatSkus } from "#/modules/catalogue/index.ts";
import { withHold } from "#/modules/orders/commands/hold-order.ts";
import type { OrderContent, OrderMessage } from "#/modules/orders/intake/check-order.ts";
import { findLackingCustoms } from "#/modules/orders/intake/lacking-customs.ts";
import * as repository from "#/modules/orders/intake/repository.ts";
import type { Hold, HoldType, Order } from "#/modules/orders/order.ts";
import type { ClientTx } from "#/store/db/database.ts";

/** The holds of a document by the rules of its client, and what its order stores for later documents. */
export interface RuleVerdict {
  readonly holds: readonly Hold[];
  /** The customer by whom `first order` knows the order; undefined if no rule asks for it. */
  readonly customer: string | undefined;
}

/** Takes the documents for which it was prepared. */
export type HoldRules = (message: OrderMessage, at: string) => RuleVerdict;

/** The actor of holds that a rule set. */
const byRule = "rule";

/**
 * Applies the rules to some documents. It queries the store only for what the rules of this client ask; a client without
 * rules costs nothing. Look-ups are sent together. Patterns are evaluated here and not with the writes, which are one step
 * of the event loop for the whole batch.
 */
export async function createHoldRules(
  tx: ClientTx,
  client: FeedClient,
  messages: readonly OrderMessage[],
): Promise<HoldRules> {
  const { holdRules } = client.settings;
  if (holdRules.length === 0) return () => ({ holds: [], customer: undefined });
  const asks = (kind: HoldCondition["kind"]) =>
    holdRules.some(({ conditions }) => conditions.some((condition) => condition.kind === kind));
  const contents = messages.flatMap(({ content }) => content ?? []);
  const skus = new Set(contents.flatMap(({ lines }) => lines.map(({ sku }) => sku)));
  const ofNews = messages.flatMap(({ action, content }) => (action === "NEW" && content ? content : []));
  const customers = new Set(ofNews.flatMap((content) => customerOf(content) ?? []));
  const [hazmat, known, lacking] = await Promise.all([
    asks("hazmat") && skus.size > 0 ? findHazmatSkus(tx, [...skus]) : [],
    asks("firstOrder") && customers.size > 0 ? repository.findCustomers(tx, [...customers]) : [],
    asks("customs") ? findLackingCustoms(tx, client, contents) : new Set<OrderContent>(),
  ]);
  const facts = {
    hazmatSkus: new Set(hazmat.map(({ sku }) => sku)),
    knownCustomers: new Set(known.map(({ customer }) => customer)),
    lacking,
  };
  const matched = new Map<OrderMessage, readonly HoldRule[]>();
  let turnBegan = process.threadCpuUsage();
  for (const message of messages) {
    const { action, content } = message;
    if (!content) continue;
    const met: HoldRule[] = [];
    matched.set(message, met);
    const matches = createMatcher();
    for (const rule of holdRules) {
      if (rule.conditions.every((condition) => isMet(condition, { ...facts, action, content, matches })))
        met.push(rule);
      if (cpuMicrosSince(turnBegan) < turnCpuMicros) continue;
      await nextTurn();
      turnBegan = process.threadCpuUsage();
    }
  }
  return (message, at) => {
    const { content } = message;
    if (!content) return { holds: [], customer: undefined };
    const met = matched.get(message);
    assert(met, "the hold rules were not prepared for this order");
    return { holds: holdsOf(met, at), customer: asks("firstOrder") ? customerOf(content) : undefined };
  };
}

/** A batch has up to 64 orders, so other requests get turns in between. */
const turnCpuMicros = 25_000;

function cpuMicrosSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(before);
  return user + system;
}

interface Facts {
  readonly action: OrderMessage["action"];
  readonly content: OrderContent;
  readonly hazmatSkus: ReadonlySet<string>;
  readonly knownCustomers: ReadonlySet<string>;
  readonly lacking: ReadonlySet<OrderContent>;
  readonly matches: Matcher;
}

function isMet(condition: HoldCondition, facts: Facts): boolean {
  const { action, content, hazmatSkus, knownCustomers, lacking, matches } = facts;
  switch (condition.kind) {
    case "value": {
      const value = content.currency === condition.currency ? worthOf(content) : undefined;
      return value !== undefined && compareAmounts(value, condition.amount) > 0;
    }
    case "country":
      return condition.countries.includes(content.shipToAddress?.country ?? "");
    case "attribute": {
      const text = content.extendedAttributes[condition.name];
      return text !== undefined && matches(condition, text);
    }
    case "hazmat":
      return content.lines.some(({ sku, extendedAttributes }) => hazmatSkus.has(sku) || isHazmat(extendedAttributes));
    case "firstOrder": {
      // An UPDATE is a later document of an order that the customer has already.
      const customer = action === "NEW" ? customerOf(content) : undefined;
      return customer !== undefined && !knownCustomers.has(customer);
    }
    case "customs":
      return lacking.has(content);
  }
}

/** The total of the order, else its subtotal, else the sum of its lines; undefined if a line has none. */
function worthOf({ totalPrice, subtotal, lines }: OrderContent): string | undefined {
  const total = totalPrice ?? subtotal;
  if (total !== undefined) return normaliseAmount(total);
  const totals = lines.flatMap(({ lineTotal }) => (lineTotal === undefined ? [] : (normaliseAmount(lineTotal) ?? [])));
  return totals.length === lines.length ? sumAmounts(totals) : undefined;
}

/** The e-mail address of the payer, else of the recipient: the only thing by which the feed knows a customer. */
function customerOf({ billToAddress, shipToAddress }: OrderContent): string | undefined {
  const [email] = [billToAddress?.email, shipToAddress?.email].flatMap((text) => text?.trim().toLowerCase() || []);
  return email;
}

type AttributeCondition = HoldCondition & { readonly kind: "attribute" };
type Matcher = (condition: AttributeCondition, text: string) => boolean;

/** The bounds of the setting allow some 25 ms for an order; this holds for rules that an older release stored. */
const cpuMicrosMax = 100_000;

/** For one order. A condition that is not evaluated counts as met: a person reviews the order. */
function createMatcher(): Matcher {
  let spent = 0;
  return (condition, text) => {
    if (spent > cpuMicrosMax) return true;
    const before = process.threadCpuUsage();
    const isMatch = patternOf(condition).matches(text);
    spent += cpuMicrosSince(before);
    return isMatch;
  };
}

const patterns = new WeakMap<HoldCondition, Pick<Pattern, "matches">>();
const unreadable = { matches: () => true };

/** Settings are cached with their client, so that a pattern is compiled once and not for each order. */
function patternOf(condition: AttributeCondition): Pick<Pattern, "matches"> {
  const known = patterns.get(condition);
  if (known) return known;
  const parsed = parsePattern(condition.pattern, condition.ignoresCase);
  const pattern = parsed.ok ? parsed.value : unreadable;
  patterns.set(condition, pattern);
  return pattern;
}

/** An order has one hold of each type, so rules of one type share a hold. The reason has no value of the order. */
function holdsOf(rules: readonly HoldRule[], at: string): Hold[] {
  const byType = Map.groupBy(
    rules,
    ({ conditions }): HoldType => (conditions.some(({ kind }) => kind === "hazmat") ? "HAZMAT_REVIEW" : "CLIENT_RULE"),
  );
  return [...byType].map(([type, matched]) => {
    const reason = matched.map((rule) => `rule ${rule.name}: ${conditionsText(rule)}`).join("; ");
    return { type, reason, since: at, by: byRule };
  });
}

/** The order with the holds that its new content needs. A rule never lifts a hold: a person reviews the order. */
export function withRuleHolds(order: Order, holds: readonly Hold[]): Order {
  return holds.reduce(withHold, order);
}
