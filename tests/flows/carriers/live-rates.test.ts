// carriers.md, Live rates: rates of label sources are fetched when an order is allocated, and decide at the pack.
import assert from "node:assert/strict";
import { test } from "node:test";
import { dayMs } from "#/kernel/values/durations.ts";
import { purgeRates } from "#/modules/carriers/index.ts";
import { sql, tenant } from "#/store/db/sql.ts";
import { atEnd } from "../../support/app/at-end.ts";
import { signIn } from "../../support/app/console.ts";
import { testServer } from "../../support/app/server.ts";
import { until } from "../../support/app/until.ts";
import { carrierDataOf, serviceOf } from "../../support/carriers/carriers.ts";
import { createSource, standInDefinition } from "../../support/carriers/label-stand-in.ts";
import { startReceiver } from "../../support/http/receiver.ts";
import { packingWorld } from "../../support/papers/packing.ts";
import { warehouseOf } from "../../support/warehouse/warehouse-port.ts";

const server = await testServer();
const dc1 = await warehouseOf(server);
const admin = await signIn(server, "admin");

const requests: Record<string, unknown>[] = [];
let mode: "good" | "hang" | "refuse" = "good";
const source = await startReceiver({
  answer: ({ path, body }) => {
    if (path !== "/rates") return { status: 422, body: '{"error":"nothing is sold"}' };
    const request = JSON.parse(body.toString());
    requests.push(request);
    if (mode === "hang") return "hang";
    if (mode === "refuse") return { status: 422, body: '{"error":"not served"}' };
    const rates = [
      { service: "other", amount: "1.00", currency: "GBP" },
      { service: request.service, amount: "7.345", currency: request.service === "franc" ? "CHF" : "GBP" },
    ];
    return { status: 200, body: JSON.stringify({ rates }) };
  },
});
atEnd(() => source.close());
const rate = {
  method: "POST" as const,
  path: "/rates",
  body: {
    service: "{service.name}",
    grams: "{parcel.weight.g}",
    to: "{to}",
    from: "{from.country}",
    day: "{shipDate}",
  },
  entry: { list: "rates", field: "service", value: "service.name" },
  answer: { price: ["amount"], currency: ["currency"] },
};
const definition = {
  ...standInDefinition,
  timeoutSeconds: 1,
  services: { "DX-LIVE": { name: "live" }, "CH-LIVE": { name: "franc" } },
  calls: { ...standInDefinition.calls, rate },
};
for (const code of ["RATES", "HANGS"]) await createSource(admin, code, source.url, { definition });

const live = (code: string, carrierCode: string, price: number, labelSource: string) =>
  serviceOf(code, carrierCode, price, { labelSources: [labelSource, "OWN"], liveRateMinutes: 60 });
const data = carrierDataOf(
  serviceOf("RM48", "RM", 8),
  live("DX-LIVE", "DX", 9, "RATES"),
  live("CH-LIVE", "CH", 20, "RATES"),
);
const item = { sku: "A", weight: "0.3", weightUomCode: "KG" };

interface Choice {
  readonly serviceCode: string;
  readonly price: { total: { amount: number }; surcharges: unknown[]; live?: Record<string, unknown> };
}
const rated = (clientId: string) =>
  until(`${clientId} has rates`, async () => {
    const rows = await server.database
      .of(clientId)
      .query(sql`select service_code from carrier_rate where client_id = ${tenant} limit 10`);
    return rows.length > 0;
  });

test("a live rate takes the place of the price matrix, and the decision says so with its age", async () => {
  const life = await packingWorld({ server, dc1 }, "LIVE", data, [item]);
  await life.picked("1");
  await rated("LIVE");
  const sent = requests.find(({ service }) => service === "live");
  assert.deepEqual([sent?.grams, sent?.from], [500, "GB"]);
  assert.deepEqual(Object.keys(sent?.to as object).sort(), ["city", "country", "zip"], "no name and no street");
  const packed = await life.packOne("1", { weight: 0.4, weightUomCode: "KG" });
  const decision = await life.decision(packed.decisionId);
  const chosen = decision.chosen as Choice;
  assert.deepEqual([chosen.serviceCode, chosen.price.total.amount, chosen.price.surcharges], ["DX-LIVE", 7.35, []]);
  assert.equal(chosen.price.live?.sourceCode, "RATES");
  assert.ok(Number(chosen.price.live?.ageSeconds) >= 0);
  const others = decision.alternatives as Choice[];
  assert.deepEqual(
    others.map(({ serviceCode, price }) => [serviceCode, price.total.amount, price.live]),
    [
      ["RM48", 8, undefined],
      ["CH-LIVE", 20, undefined],
    ],
    "without live rates, and with a rate in another currency: the matrix",
  );
  // The rate of the first order is good for the next one to the place.
  const before = requests.filter(({ service }) => service === "live").length;
  await life.picked("2");
  const second = await life.packOne("2", { weight: 0.2, weightUomCode: "KG" });
  assert.equal(second.carrierServiceCode, "DX-LIVE");
  assert.equal(requests.filter(({ service }) => service === "live").length, before);
});

test("a rate that is too old or of a lighter parcel is not used", async () => {
  const life = await packingWorld({ server, dc1 }, "OLDER", data, [item]);
  await life.picked("1", 3);
  await rated("OLDER");
  const [heavier] = await life.pack("1", { weight: 1.4, weightUomCode: "KG" });
  assert.equal(heavier?.carrierServiceCode, "RM48", "rated for 1 kg");
  await server.database.transaction(async (tx) =>
    tx.of("OLDER").send(sql`update carrier_rate set rated_at = rated_at - interval '61 minutes'
      where client_id = ${tenant}`),
  );
  const [old] = await life.pack("1", { weight: 0.4, weightUomCode: "KG" });
  assert.equal(old?.carrierServiceCode, "RM48");
  const view = server.database.of("OLDER");
  assert.equal(await purgeRates(view, new Date(Date.now() - dayMs).toISOString(), 10), 0);
  assert.ok((await purgeRates(view, new Date().toISOString(), 10)) > 0);
});

test("an order does not wait for a source that hangs or refuses: the price matrix decides, and the source rests", async () => {
  mode = "hang";
  const hanging = carrierDataOf(serviceOf("RM48", "RM", 8), live("DX-LIVE", "DX", 9, "HANGS"));
  const life = await packingWorld({ server, dc1 }, "HANGS", hanging, [item]);
  const before = requests.length;
  await life.picked("1");
  await until("the source is asked", async () => requests.length > before);
  assert.equal((await life.packOne("1", { weight: 0.4 })).carrierServiceCode, "RM48");
  mode = "refuse";
  const refused = await packingWorld({ server, dc1 }, "REFUSES", data, [item]);
  await refused.picked("1");
  await until("the source refuses", async () => requests.length > before + 1);
  assert.equal((await refused.packOne("1", { weight: 0.4 })).carrierServiceCode, "RM48");
});
