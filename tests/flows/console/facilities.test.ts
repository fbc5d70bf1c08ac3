// operations.md §2: the console manages facilities and the credentials of the warehouse port.
import assert from "node:assert/strict";
import { test } from "node:test";
import { signIn } from "../../support/app/console.ts";
import { accessTokenOf, testServer } from "../../support/app/server.ts";

const server = await testServer();
const admin = await signIn(server, "admin");
const viewer = await signIn(server, "viewer");
const anna = await signIn(server, "operator");
const limited = await signIn(server, "operator", { facilityCodes: ["DC2"] });

const pointers = (body: { errors: { pointer: string }[] }) => body.errors.map(({ pointer }) => pointer).sort();
const settingsOf = (body: { settings: { name: string; value: string }[] }) =>
  Object.fromEntries(body.settings.map(({ name, value }) => [name, value]));

test("a facility is made with its working days, and is in the list", async () => {
  const made = await admin.post("/facilityDirectory/create", {
    facilityCode: "HAM1",
    name: "Hamburg",
    country: "DEU",
    timezone: "Europe/Berlin",
    settings: { cutOffTime: "16:00", operatingDays: "MON-SAT", holidays: "2026-12-25:Christmas Day", zip: "20457" },
  });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  assert.deepEqual([made.body.country, made.body.cutOffTime], ["DE", "16:00"]);
  assert.deepEqual(settingsOf(made.body).operatingDays, "MON,TUE,WED,THU,FRI,SAT");
  const { body } = await viewer.get("/facilityDirectory/list");
  assert.deepEqual(
    body.items.map(({ facilityCode }: { facilityCode: string }) => facilityCode),
    ["DC1", "DC2", "DC3", "HAM1"],
  );
  const plain = await admin.post("/facilityDirectory/create", {
    facilityCode: "DUB1",
    name: "Dublin",
    country: "IE",
    timezone: "Europe/Dublin",
  });
  assert.deepEqual([plain.status, plain.body.cutOffTime, plain.body.status], [201, null, "ACTIVE"]);
});

test("errors of a request are reported at their fields", async () => {
  const wrong = await admin.post("/facilityDirectory/create", {
    facilityCode: "NO SUCH",
    name: "x",
    country: "Atlantis",
    timezone: "Europe/Atlantis",
    settings: { cutOffTime: "25:00" },
  });
  assert.equal(wrong.status, 422);
  assert.deepEqual(pointers(wrong.body), ["#/country", "#/facilityCode", "#/settings/cutOffTime", "#/timezone"]);
  const taken = await admin.post("/facilityDirectory/create", {
    facilityCode: "dc1",
    name: "x",
    country: "GB",
    timezone: "Europe/London",
  });
  assert.deepEqual([taken.status, pointers(taken.body)], [409, ["#/facilityCode"]]);
  const postcode = await admin.patch("/facilityDirectory/patch/DC1", { settings: { zip: "nowhere" } });
  assert.deepEqual([postcode.status, pointers(postcode.body)], [422, ["#/settings/zip"]]);
});

test("a facility is changed, and each setting goes back to its default", async () => {
  const changed = await admin.patch("/facilityDirectory/patch/DC1", {
    name: "London Gateway",
    settings: { cutOffTime: "17:00", status: "CLOSED" },
  });
  assert.deepEqual([changed.status, changed.body.name, changed.body.status], [200, "London Gateway", "CLOSED"]);
  const back = await admin.patch("/facilityDirectory/patch/DC1", { settings: { cutOffTime: null, status: "" } });
  assert.deepEqual([back.body.cutOffTime, back.body.status, back.body.version], [null, "ACTIVE", 3]);
  assert.equal((await viewer.get("/facilityDirectory/get/DC1")).body.name, "London Gateway");
  const stale = await admin.patch("/facilityDirectory/patch/DC1", { name: "x" }, { "if-match": '"2"' });
  assert.equal(stale.status, 412);
  assert.equal((await viewer.get("/facilityDirectory/get/DC9")).status, 404);
  assert.equal((await admin.patch("/facilityDirectory/patch/DC9", { name: "x" })).status, 404);
  assert.equal((await anna.patch("/facilityDirectory/patch/DC1", { name: "x" })).status, 403);
});

test("credentials of warehouses and carriers are issued once, listed without secrets, and revoked", async () => {
  const warehouse = await admin.post("/credential/issueWarehouse", { facilityCode: "DC2" });
  assert.equal(warehouse.status, 200, JSON.stringify(warehouse.body));
  assert.ok(await accessTokenOf(server.url, warehouse.body.oauth));
  const carrier = await admin.post("/credential/issueCarrier", { carrierCode: "NORTHWAY" });
  assert.equal(carrier.status, 200);
  const listed = await anna.get("/credential/list");
  assert.deepEqual(
    listed.body.items.map(
      (item: { facilityCode: string; carrierCode: string }) => item.facilityCode ?? item.carrierCode,
    ),
    ["NORTHWAY", "DC2"],
  );
  assert.doesNotMatch(JSON.stringify(listed.body), /cds_/);
  const ofFacility = await limited.get("/credential/list?facilityCode=DC2&limit=1");
  assert.equal(ofFacility.body.items.length, 1);
  const revoked = await admin.post(`/credential/revoke/${warehouse.body.oauth.client_id}`);
  assert.equal(revoked.body.kind, "warehouse");
  assert.equal((await admin.post("/credential/issueWarehouse", { facilityCode: "DC9" })).status, 404);
  const blank = await admin.post("/credential/issueCarrier", { carrierCode: "two words" });
  assert.deepEqual([blank.status, pointers(blank.body)], [422, ["#/carrierCode"]]);
});

test("a user who is limited to facilities sees those", async () => {
  const { body } = await limited.get("/facilityDirectory/list");
  assert.deepEqual(
    body.items.map(({ facilityCode }: { facilityCode: string }) => facilityCode),
    ["DC2"],
  );
  assert.equal((await limited.get("/facilityDirectory/get/DC1")).status, 403);
});
