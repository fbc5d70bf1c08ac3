// carriers.md, Back-test: past decisions run again with a draft, compared with a direct calculation from their answers.
import assert from "node:assert/strict";
import { test } from "node:test";
import { dayMs } from "#/kernel/values/durations.ts";
import {
  checkCarrierData,
  operatorsDefault,
  runDraft,
  type SimulationResult,
  saveCarrierData,
  simulate,
} from "#/modules/carriers/index.ts";
import type { PastShipment } from "#/modules/carriers/simulation/draft-run.ts";
import { clearOfMidnight, dateIn } from "../../support/app/midnight.ts";
import { testServer } from "../../support/app/server.ts";
import { carrierSet } from "../../support/carriers/carrier-data.ts";
import type { Answer } from "../../support/http/call.ts";
import { pointersOf, restCalls } from "../../support/http/rest-calls.ts";

const server = await testServer();
const demo = await server.onboard("DEMO", { facilities: ["DC1"] });
const other = await server.onboard("OTHER", { facilities: ["DC1"] });
const call = restCalls(server.url, "/v1/carrierDeterminationService", demo.credentials);
const callAsOther = restCalls(server.url, "/v1/carrierDeterminationService", other.credentials);

interface Choice {
  readonly serviceCode: string | null;
  readonly zone: string | null;
  readonly price: { readonly total: { readonly amount: number } } | null;
  readonly estimatedDelivery: string | null;
}

// Decisions count days from the date in the facility's time zone.
await clearOfMidnight("Europe/London");
const startedAt = new Date().toISOString();
const save = (data: unknown) =>
  server.operate((tx, change) => saveCarrierData(tx, change, { owner: operatorsDefault, data }));
await save(carrierSet);

/** BETA raises its prices, ALPHA-48 takes longer, and no carrier ships to the islands any more. */
const draft = {
  ...carrierSet,
  services: carrierSet.services.map((service) =>
    service.code === "ALPHA-48" ? { ...service, transitDays: { DOMESTIC: 5, REMOTE: 5, EUROPE: 5 } } : service,
  ),
  rateCards: carrierSet.rateCards.map((card) => ({
    ...card,
    breaks: card.breaks.map((weightBreak) => ({
      ...weightBreak,
      price: weightBreak.price + (card.serviceCode.startsWith("BETA") ? 3 : 0),
    })),
  })),
  rules: [
    ...carrierSet.rules,
    {
      ruleId: "no-islands",
      priority: 20,
      when: { field: "shipment.zip", op: "prefix", value: "IV" },
      // biome-ignore lint/suspicious/noThenProperty: the contract calls it so.
      then: { exclude: true, reason: "the islands are left out" },
    },
  ],
};

const requests = Array.from({ length: 610 }, (_, i) => ({
  distributionCentre: "DC1",
  shipTo: [
    { country: "GB", zip: "BS1 5TY" },
    { country: "GB", zip: "IV27 4AA" },
    { country: "DE", zip: "10117" },
  ][i % 3],
  parcels: [{ weight: 0.5 + (i % 40) }],
  ...(i % 5 === 0 ? { serviceLevel: "EXPRESS" } : {}),
}));

const answersTo = async (caller: typeof call, requests: readonly object[]): Promise<Choice[]> => {
  const chosen: Choice[] = [];
  for (let from = 0; from < requests.length; from += 10) {
    const answers = await Promise.all(
      requests.slice(from, from + 10).map((request) => caller("POST", "/carrier/determine", request)),
    );
    for (const { status, body } of answers) {
      assert.equal(status, 200, JSON.stringify(body));
      chosen.push(body.chosen as Choice);
    }
  }
  return chosen;
};

const before = await answersTo(call, requests);
const endedAt = () => new Date(Date.now() + 1_000).toISOString();
const simulateBy = (caller: typeof call, more: object = {}): Promise<Answer> =>
  caller("POST", "/carrier/simulate", { from: startedAt, to: endedAt(), draft, ...more });

/**
 * An independent calculation of the comparison: the draft decides every request for real, and the costs are summed in
 * pence.
 */
async function expected(): Promise<Pick<SimulationResult, "total" | "zones" | "services">> {
  await save(draft);
  // The same time of day gives the same days; no cut-off lies in between.
  const after = await answersTo(callAsOther, requests);
  await save(carrierSet);
  const pairs = before.map((past, i) => ({ past, now: after[i] ?? null }));
  const pence = ({ price }: Choice) => Math.round((price?.total.amount ?? Number.NaN) * 100);
  const today = dateIn("Europe/London", 0);
  const days = ({ estimatedDelivery }: Choice) => (Date.parse(estimatedDelivery as string) - Date.parse(today)) / dayMs;
  const compare = (group: typeof pairs) => {
    const both = group.flatMap(({ past, now }) => (past && now ? [{ past, now }] : []));
    const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
    const cost = [sum(both.map(({ past }) => pence(past))), sum(both.map(({ now }) => pence(now)))] as const;
    const way = [sum(both.map(({ past }) => days(past))), sum(both.map(({ now }) => days(now)))] as const;
    return {
      decisions: group.length,
      unchanged: group.filter(({ past, now }) => now && now.serviceCode === past?.serviceCode).length,
      changed: group.filter(({ past, now }) => now && now.serviceCode !== past?.serviceCode).length,
      nobodyFits: group.filter(({ now }) => now === null).length,
      cost: {
        compared: both.length,
        before: cost[0] / 100,
        after: cost[1] / 100,
        difference: (cost[1] - cost[0]) / 100,
      },
      days: { compared: both.length, before: way[0], after: way[1], difference: way[1] - way[0] },
    };
  };
  const zoneOf = ({ past, now }: (typeof pairs)[number]) => past?.zone ?? now?.zone ?? null;
  const zones = [...Map.groupBy(pairs, zoneOf)].map(([zone, members]) => ({ zone, ...compare(members) }));
  const moves = Map.groupBy(pairs, ({ past, now }) =>
    JSON.stringify([past?.serviceCode ?? null, now?.serviceCode ?? null]),
  );
  const services = [...moves].flatMap(([key, group]) => {
    const [from, to] = JSON.parse(key) as (string | null)[];
    return from === to ? [] : [{ before: from ?? null, after: to ?? null, decisions: group.length }];
  });
  return {
    total: compare(pairs),
    zones: zones.sort((left, right) => ((left.zone ?? "") < (right.zone ?? "") ? -1 : 1)),
    services,
  };
}

const byName = (moves: SimulationResult["services"]) => [...moves].map((move) => JSON.stringify(move)).sort();

test("a draft is compared in cost, service and days, in total and by zone, as deciding by it for real does", async () => {
  const { status, body } = await simulateBy(call);
  assert.equal(status, 200, JSON.stringify(body));
  const result = body as unknown as SimulationResult;
  const { total, zones, services } = await expected();
  assert.deepEqual(
    [result.isComplete, result.continueFrom, result.decisions, result.notRun, result.currency],
    [true, null, requests.length, 0, "GBP"],
  );
  assert.deepEqual(result.total, total);
  assert.deepEqual(result.zones, zones);
  assert.deepEqual(byName(result.services), byName(services));
  // Results that are all zero agree with anything.
  assert.ok(total.changed > 50 && total.nobodyFits > 50 && total.unchanged > 50, JSON.stringify(total));
  assert.ok(total.cost.difference > 0 && total.days.difference !== 0 && zones.length >= 3);
});

test("a back-test stores nothing, and uses only decisions of its client", async () => {
  const rows = () => server.rows<{ count: number }>("select count(*)::int as count from carrier_decision");
  const count = await rows();
  assert.equal((await simulateBy(call)).status, 200);
  assert.deepEqual(await rows(), count);
  const fresh = await server.onboard("FRESH", { facilities: ["DC1"] });
  const callAsFresh = restCalls(server.url, "/v1/carrierDeterminationService", fresh.credentials);
  const { body } = await simulateBy(callAsFresh);
  assert.deepEqual([body.decisions, body.zones, body.services], [0, [], []]);
});

test("only decisions of the span are run", async () => {
  const { body } = await simulateBy(call, { from: "2026-01-01T00:00:00Z", to: startedAt });
  assert.equal(body.decisions, 0);
});

test("a back-test above the limit returns where to continue, and the next one runs the rest", async () => {
  const checked = checkCarrierData(draft);
  assert.ok(checked.ok);
  const span = { fromMs: Date.parse(startedAt), toMs: Date.now() + 1_000 };
  const parts: number[] = [];
  const limits = { decisionsMax: 520, msMax: 60_000, onProgress: (part: number) => parts.push(part) };
  const first = await simulate(server.database, "DEMO", span, runDraft(checked.value), limits);
  assert.deepEqual([first.isComplete, first.decisions], [false, 520]);
  assert.ok(first.continueFrom);
  const rest = await simulate(
    server.database,
    "DEMO",
    { ...span, fromMs: Date.parse(first.continueFrom) },
    runDraft(checked.value),
    { ...limits, decisionsMax: 1_000 },
  );
  assert.ok(rest.isComplete && rest.decisions >= requests.length - 520);
  assert.ok(parts.length >= 4 && parts.at(-1) === 1 && parts.every((part) => part >= 0 && part <= 1));
  // Its time is over after one turn.
  const run = runDraft(checked.value);
  const slow = { ...run, add: (shipments: readonly PastShipment[]) => run.add(shipments.slice(0, 7)) };
  const late = await simulate(server.database, "DEMO", span, slow, { ...limits, msMax: -1 });
  assert.deepEqual([late.isComplete, late.decisions], [false, 7]);
});

test("a draft is validated as a whole: 400 for its schema, 422 for wrong values, with each place", async () => {
  const shape = await simulateBy(call, { draft: { services: [], rateCards: [], colour: "red" } });
  assert.deepEqual([shape.status, pointersOf(shape)], [400, ["#/draft/colour"]]);
  const wrong = await simulateBy(call, {
    draft: { ...draft, rules: [{ ...carrierSet.rules[0], when: { all: [] } }] },
  });
  assert.deepEqual([wrong.status, pointersOf(wrong)], [422, ["#/draft/rules/0/when/all"]]);
  const backwards = await simulateBy(call, { from: "2026-02-01T00:00:00Z", to: "2026-01-01T00:00:00Z" });
  assert.deepEqual([backwards.status, pointersOf(backwards)], [400, ["#/to"]]);
});

test("a large draft is checked and run in a thread, with the same result", async () => {
  // Countries of a service are checked and not compared: the draft decides as before.
  const padding = Array.from({ length: 120 }, (_, i) => ({
    ...carrierSet.rules[0],
    ruleId: `never-${i}`,
    when: { field: "shipment.incoterm", op: "in", value: Array.from({ length: 100 }, (_, n) => `NEVER-${i}-${n}`) },
  }));
  const large = { ...draft, rules: [...(draft.rules ?? []), ...padding] };
  assert.ok(JSON.stringify(large).length > 100 * 1024);
  const [small, same] = [await simulateBy(call), await simulateBy(call, { draft: large })];
  assert.equal(same.status, 200, JSON.stringify(same.body));
  assert.deepEqual(same.body.total, small.body.total);
  const rules = Array.from({ length: 600 }, (_, i) => ({
    ...carrierSet.rules[0],
    ruleId: `r${i}`,
    when: { field: `shipment.${"x".repeat(1_000)}`, op: "zz", value: 1 },
  }));
  const wrong = await simulateBy(call, { draft: { ...draft, rules } });
  assert.equal(wrong.status, 422);
  assert.equal(pointersOf(wrong).length, 100);
  assert.equal(pointersOf(wrong)[0], "#/draft/rules/0/when/field");
});

test("a client has one under way at a time; another client is not in its way", async () => {
  const answers = await Promise.all(Array.from({ length: 6 }, () => simulateBy(call)));
  const statuses = answers.map(({ status }) => status);
  assert.ok(statuses.includes(200) && statuses.includes(409), statuses.join());
  assert.ok(statuses.every((status) => status === 200 || status === 409));
  const [mine, theirs] = await Promise.all([simulateBy(call), simulateBy(callAsOther)]);
  assert.deepEqual([mine.status, theirs.status], [200, 200]);
});
