// Carrier data in the console: versions, checks, activation, tests of drafts, decisions (contract carriers.md; rest.md
// §3).
import assert from "node:assert/strict";
import { test } from "node:test";
import { demoCarrierData } from "#/sandbox/demo/carriers/carriers.ts";
import { signIn } from "../../support/app/console.ts";
import { testServer } from "../../support/app/server.ts";
import { restCalls } from "../../support/http/rest-calls.ts";

const server = await testServer();
const demo = await server.onboard("DEMO", { facilities: ["DC1"] });
const rest = restCalls(server.url, "/v1", demo.credentials);
const admin = await signIn(server, "admin");
const viewer = await signIn(server, "viewer");

type Body = Readonly<Record<string, unknown>>;
const bodyOf = ({ status, body }: { status: number; body: unknown }, expected = 200): Body => {
  assert.equal(status, expected, JSON.stringify(body));
  return body as Body;
};

const shipment = { distributionCentre: "DC1", shipTo: { country: "GB", zip: "BS1 5TY" }, parcels: [{ weight: 1.2 }] };
const blocked = {
  ...demoCarrierData,
  rules: [
    ...(demoCarrierData.rules ?? []),
    // biome-ignore lint/suspicious/noThenProperty: the contract calls it so.
    { ruleId: "nothing-goes", priority: 0, then: { exclude: true, reason: "the doors are shut" } },
  ],
};

test("a carrier set exists after its first activation, and every version is kept", async () => {
  assert.equal((await viewer.get("/carrierData/get")).status, 404);
  const first = { basedOn: 0, data: demoCarrierData, note: "First prices" };
  assert.equal((await viewer.post("/carrierData/activate", first)).status, 403);
  assert.deepEqual(bodyOf(await admin.post("/carrierData/activate", first)), { version: 1 });
  assert.deepEqual(bodyOf(await admin.post("/carrierData/activate", { basedOn: 1, data: blocked })), { version: 2 });
  const back = bodyOf(await viewer.get("/carrierData/get?version=1"));
  assert.deepEqual([back.version, back.latestVersion, back.note, back.isOwn], [1, 2, "First prices", true]);
  assert.deepEqual(bodyOf(await admin.post("/carrierData/activate", { basedOn: 2, data: back.data })), { version: 3 });
  const page = bodyOf(await viewer.get("/carrierData/list?limit=2"));
  assert.deepEqual(
    (page.items as Body[]).map(({ version }) => version),
    [3, 2],
  );
  const rest = bodyOf(await viewer.get(`/carrierData/list?limit=2&cursor=${page.nextCursor}`));
  assert.deepEqual(
    (rest.items as Body[]).map(({ version }) => version),
    [1],
  );
  const ofClient = bodyOf(await viewer.get("/carrierData/get?clientId=DEMO"));
  assert.deepEqual([ofClient.isOwn, ofClient.clientId, ofClient.latestVersion], [false, null, 0]);
});

test("a wrong set is refused with the place of each error, and a concurrent change is reported", async () => {
  const wrong = { ...demoCarrierData, rules: [{ ruleId: "r", priority: 1, when: { field: "moon", op: "eq" } }] };
  const { faults } = bodyOf(await viewer.post("/carrierData/check", { data: wrong })) as { faults: Body[] };
  assert.ok(
    faults.some(({ pointer }) => String(pointer).startsWith("#/rules/0/")),
    JSON.stringify(faults),
  );
  assert.deepEqual(bodyOf(await viewer.post("/carrierData/check", { data: demoCarrierData })), {
    faults: [],
    warnings: [],
  });
  const [first, ...others] = demoCarrierData.services;
  const postal = { ...demoCarrierData, services: [{ ...first, postal: true, hazmat: true }, ...others] };
  const sound = bodyOf(await viewer.post("/carrierData/check", { data: postal })) as { warnings: Body[] };
  assert.deepEqual(
    sound.warnings.map(({ pointer }) => pointer),
    ["#/services/0/hazmat"],
  );
  const refused = bodyOf(await admin.post("/carrierData/activate", { basedOn: 3, data: wrong }), 422);
  assert.ok((refused.errors as Body[]).every(({ pointer }) => String(pointer).startsWith("#/data/rules/0")));
  const overtaken = bodyOf(await admin.post("/carrierData/activate", { basedOn: 2, data: demoCarrierData }), 409);
  assert.match(String(overtaken.detail), /Version 3 was created by user:\S+ while this was edited from version 2/);
});

test("a draft is tested by the code of the determination, and nothing is stored", async () => {
  const answered = await rest("POST", "/carrierDeterminationService/carrier/determine", shipment);
  assert.equal(answered.status, 200, JSON.stringify(answered.body));
  // At the same moment as the decision: a cut-off or midnight may lie between the two requests.
  const { decidedAt } = answered.body;
  const trial = bodyOf(
    await viewer.post("/carrierData/try", { data: demoCarrierData, request: shipment, at: decidedAt }),
  );
  assert.deepEqual(trial.chosen, answered.body.chosen);
  const now = bodyOf(await viewer.post("/carrierData/try", { data: demoCarrierData, request: shipment }));
  assert.ok(String(now.decidedAt) >= String(decidedAt) && now.chosen !== null);
  const none = bodyOf(await viewer.post("/carrierData/try", { data: blocked, request: shipment }));
  assert.equal(none.chosen, null);
  assert.match(JSON.stringify(none.rejected), /the doors are shut/);
  const at = "2026-11-20T10:00:00.000Z";
  const then = bodyOf(await viewer.post("/carrierData/try", { data: demoCarrierData, request: shipment, at }));
  assert.equal(then.decidedAt, at);
  const nowhere = { ...shipment, distributionCentre: "DC9" };
  const fault = bodyOf(await viewer.post("/carrierData/try", { data: demoCarrierData, request: nowhere }), 422);
  assert.deepEqual(
    (fault.errors as Body[]).map(({ pointer }) => pointer),
    ["#/request/distributionCentre"],
  );
  assert.equal((await viewer.post("/carrierData/try", { data: {}, request: shipment })).status, 422);
});

test("a large draft is checked and tested in a thread, with the same result", async () => {
  const services = Array.from({ length: 3_000 }, (_, i) => ({
    code: `S${i}`,
    carrierCode: "C",
    name: "never",
    serviceLevel: "STANDARD" as const,
  }));
  const rules = Array.from({ length: 3_000 }, (_, i) => ({
    ruleId: `never-${i}`,
    priority: 1,
    when: { field: "candidate.serviceCode", op: "eq", value: "S1" },
    // biome-ignore lint/suspicious/noThenProperty: the contract calls it so.
    then: { exclude: true, reason: "x" },
  }));
  const large = {
    ...demoCarrierData,
    services: [...demoCarrierData.services, ...services],
    rules: [...(demoCarrierData.rules ?? []), ...rules],
  };
  assert.deepEqual(bodyOf(await viewer.post("/carrierData/check", { data: large })), { faults: [], warnings: [] });
  const at = "2026-11-20T10:00:00.000Z";
  const [small, same] = [demoCarrierData, large].map((data) => ({ data, request: shipment, at }));
  const [expected, tried] = [
    bodyOf(await viewer.post("/carrierData/try", small)),
    bodyOf(await viewer.post("/carrierData/try", same)),
  ];
  assert.deepEqual(tried.chosen, expected.chosen);
  const wrong = { ...large, rules: [...large.rules, rules[0]] };
  const { faults } = bodyOf(await viewer.post("/carrierData/check", { data: wrong })) as { faults: Body[] };
  assert.match(String(faults[0]?.pointer), /^#\/rules/);
});

test("decisions are listed, the newest first, page by page", async () => {
  for (let i = 0; i < 2; i++) await rest("POST", "/carrierDeterminationService/carrier/determine", shipment);
  const page = bodyOf(await viewer.get("/carrierDecision/list?clientId=DEMO&limit=2"));
  const items = page.items as Body[];
  assert.deepEqual(
    items.map(({ country, distributionCentre }) => [country, distributionCentre]),
    [
      ["GB", "DC1"],
      ["GB", "DC1"],
    ],
  );
  assert.ok(String(items[0]?.decisionId) > String(items[1]?.decisionId));
  const rest2 = bodyOf(await viewer.get(`/carrierDecision/list?clientId=DEMO&limit=2&cursor=${page.nextCursor}`));
  assert.equal((rest2.items as Body[]).length, 1);
  const ofOrder = bodyOf(await viewer.get("/carrierDecision/list?clientId=DEMO&orderId=NONE"));
  assert.deepEqual(ofOrder.items, []);
});
