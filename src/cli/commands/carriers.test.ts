// operations.md §2; carriers.md, Data: the carrier import, export and simulate commands, as an operator runs them.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { systemClock } from "#/kernel/clock.ts";
import { createIds } from "#/kernel/values/ids.ts";
import { createCarrierSets, determine, type SimulationResult } from "#/modules/carriers/index.ts";
import { sql } from "#/store/db/sql.ts";
import { atEnd } from "../../../tests/support/app/at-end.ts";
import { runCommand } from "../../../tests/support/app/cli.ts";
import { insertClient } from "../../../tests/support/builders/client.ts";
import { carrierSet } from "../../../tests/support/carriers/carrier-data.ts";
import { testDatabase } from "../../../tests/support/postgres/database.ts";

const { url, database } = await testDatabase();
await insertClient(database, { facilities: ["DC1"] });
const folder = mkdtempSync(path.join(tmpdir(), "crossdock-carrier-"));
atEnd(() => rmSync(folder, { recursive: true, force: true }));

const carrier = (...words: string[]) =>
  runCommand(["carrier", ...words], { DATABASE_URL: url, CROSSDOCK_DATA_DIR: folder });

function fileOf(name: string, content: unknown): string {
  const file = path.join(folder, name);
  writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
  return file;
}

const versions = () =>
  database.query<{ owner: string; version: number }>(
    sql`select owner, version from carrier_data order by owner, version limit 100`,
  );

test("a set is validated without being saved, then saved, and exported unchanged", async () => {
  const file = fileOf("set.json", carrierSet);
  const dry = await carrier("import", file, "--dry-run", "--json");
  const counts = { owner: null, services: 4, rateCards: 4, rules: 1, rates: 0, warnings: [] };
  assert.deepEqual([dry.code, JSON.parse(dry.stdout)], [0, { ...counts, version: null }]);
  assert.deepEqual(await versions(), []);
  const saved = await carrier("import", file, "--note", "autumn prices");
  assert.deepEqual([saved.code, saved.stderr], [0, ""]);
  assert.match(saved.stdout, /4 services, 4 rate cards, 1 rules, 0 exchange rates for the operator's default/);
  assert.match(saved.stdout, /Version 1 is in force from now on/);
  const exported = await carrier("export");
  assert.deepEqual(
    [JSON.parse(exported.stdout), exported.stderr],
    [carrierSet, "version 1 of the operator's default\n"],
  );
  const holding = await carrier("export", "--client", "DEMO", "--json");
  assert.deepEqual(JSON.parse(holding.stdout), carrierSet, "the set in force for a client without a separate one");
});

test("a postal service for dangerous goods is saved with a warning", async () => {
  const services = carrierSet.services.map((service, i) => ({ ...service, postal: i === 1, hazmat: i !== 2 }));
  const file = fileOf("postal.json", { ...carrierSet, services });
  const shown = await carrier("import", file, "--dry-run");
  assert.equal(shown.code, 0, shown.stderr);
  assert.deepEqual(shown.stdout.match(/^.*: warning: /gm), ["#/services/1/hazmat: warning: "]);
  const { warnings } = JSON.parse((await carrier("import", file, "--dry-run", "--json")).stdout);
  assert.deepEqual(
    warnings.map(({ pointer }: { pointer: string }) => pointer),
    ["#/services/1/hazmat"],
  );
});

test("a wrong set is refused as a whole, with the place of each error and exit code 1", async () => {
  const services = [
    { ...carrierSet.services[0], colour: "red" },
    { ...carrierSet.services[1], maxWeightKg: -1 },
  ];
  const refused = await carrier("import", fileOf("wrong.json", { ...carrierSet, services }));
  assert.equal(refused.code, 1);
  assert.match(refused.stdout, /^#\/services\/0\/colour: /m);
  assert.match(refused.stdout, /^#\/services\/1\/maxWeightKg: /m);
  assert.match(refused.stderr, /nothing was saved: \d+ fault/);
  const broken = await carrier("import", fileOf("broken.json", '{"services": ['));
  assert.equal(broken.code, 1);
  assert.match(broken.stderr, /is not valid JSON/);
  assert.deepEqual(await versions(), [{ owner: "", version: 1 }]);
});

test("a price matrix goes out as CSV, comes back changed, and every line is reported", async () => {
  const csv = await carrier("export", "--rate-card", "BETA-72");
  assert.match(csv.stdout, /^zone,country,postcodes,remote,upToKg,price,perExtraKg\r?\n/);
  const file = fileOf("BETA-72.csv", csv.stdout.replace("DOMESTIC,GB,,,2,4,", "DOMESTIC,GB,,,2,3.9,"));
  const taken = await carrier("import", file);
  assert.equal(taken.code, 0, taken.stderr);
  assert.match(taken.stdout, /^line 2: /m);
  assert.match(taken.stdout, /Version 2 is in force from now on/);
  const { rateCards } = JSON.parse((await carrier("export")).stdout) as typeof carrierSet;
  assert.equal(rateCards[2]?.breaks[0]?.price, 3.9);
  assert.deepEqual({ ...rateCards[2], breaks: [] }, { ...carrierSet.rateCards[2], breaks: [] });
  assert.deepEqual(
    [rateCards[0], rateCards[1], rateCards[3]],
    [0, 1, 3].map((i) => carrierSet.rateCards[i]),
  );
});

test("a price matrix with a wrong line, for an unknown card or without a carrier set is refused", async () => {
  const head = "zone,country,postcodes,remote,upToKg,price,perExtraKg\n";
  const wrong = await carrier("import", fileOf("ALPHA-48.csv", `${head}DOMESTIC,GB,,,2,5,\nDOMESTIC,GB,,,20,cheap,\n`));
  assert.equal(wrong.code, 1);
  assert.match(wrong.stdout, /^line 3: refused: price is "cheap"/m);
  const unknown = await carrier("import", fileOf("GAMMA.csv", `${head}DOMESTIC,GB,,,2,5,\n`));
  assert.deepEqual([unknown.code, /no rate card of service 'GAMMA'/.test(unknown.stderr)], [1, true]);
  const checked = await carrier(
    "import",
    fileOf("X.csv", `${head}ATLANTIS,GB,XXXX,,2,5,\n`),
    "--rate-card",
    "ALPHA-48",
  );
  assert.equal(checked.code, 1, "what the rest of the set says of a matrix counts, too");
  const none = await carrier("import", fileOf("ALPHA-24.csv", `${head}DOMESTIC,GB,,,2,5,\n`), "--client", "DEMO");
  assert.deepEqual([none.code, /client DEMO has no separate carrier data yet/.test(none.stderr)], [1, true]);
  assert.equal((await versions()).length, 2);
});

test("a set is imported for a client; an unknown client is refused", async () => {
  const carriers = {
    ...carrierSet,
    services: carrierSet.services.slice(0, 1),
    rateCards: carrierSet.rateCards.slice(0, 1),
  };
  const file = fileOf("own.json", { ...carriers, rules: [], mapping: {} });
  const saved = await carrier("import", file, "--client", "DEMO", "--json");
  assert.equal((JSON.parse(saved.stdout) as { owner: string }).owner, "DEMO");
  assert.match((await carrier("export", "--client", "DEMO")).stderr, /version 1 of client DEMO/);
  for (const words of [["import", file], ["export"]]) {
    const missing = await carrier(...words, "--client", "NOBODY");
    assert.deepEqual([missing.code, missing.stdout, /NOBODY/.test(missing.stderr)], [1, "", true]);
  }
  assert.equal((await carrier("import", file, "--valid-from", "2026-01-01")).code, 2);
  assert.equal((await carrier("import", path.join(folder, "missing.json"))).code, 1);
});

test("a draft is run over past decisions, and the difference is printed", async () => {
  const context = { clock: systemClock, ids: createIds(), sets: createCarrierSets() };
  const request = { distributionCentre: "DC1", shipTo: { country: "GB", zip: "BS1 5TY" }, parcels: [{ weight: 1 }] };
  for (let i = 0; i < 3; i++) await database.transaction((tx) => determine(tx, context, { clientId: "DEMO", request }));
  const from = new Date(Date.now() - 3_600_000).toISOString();
  const to = new Date(Date.now() + 3_600_000).toISOString();
  const span = ["--client", "DEMO", "--from", from, "--to", to];
  const simulated = await carrier("simulate", fileOf("draft.json", carrierSet), ...span, "--json");
  assert.deepEqual([simulated.code, simulated.stderr], [0, ""]);
  const { decisions, isComplete, total, services } = JSON.parse(simulated.stdout) as SimulationResult;
  assert.deepEqual([decisions, isComplete], [3, true]);
  assert.deepEqual(services, [{ before: "ALPHA-48", after: "BETA-72", decisions: 3 }]);
  // 5.50 became 4.40, three times.
  assert.deepEqual(total.cost, { compared: 3, before: 16.5, after: 13.2, difference: -3.3 });
  const shown = await carrier("simulate", path.join(folder, "draft.json"), ...span);
  assert.match(shown.stdout, /^DOMESTIC +3 +0 +3 +0 +13\.20 +-3\.30 /m);
  assert.match(shown.stdout, /^ALPHA-48 +-> +BETA-72 +3$/m);
  const wrong = await carrier("simulate", fileOf("wrong.json", { services: [] }), ...span);
  assert.equal(wrong.code, 1);
  const backwards = ["--client", "DEMO", "--from", to, "--to", from];
  assert.equal((await carrier("simulate", path.join(folder, "draft.json"), ...backwards)).code, 2);
});
