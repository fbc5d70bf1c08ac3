// rest.md §3 and §4, Facility service; operations.md §2, settings of a facility.
import assert from "node:assert/strict";
import { test } from "node:test";
import { changeClient } from "#/modules/clients/index.ts";
import { changeFacility, readFacilitySettings } from "#/modules/facilities/index.ts";
import { testServer } from "../../support/app/server.ts";
import { pointersOf, restCalls } from "../../support/http/rest-calls.ts";

const server = await testServer();
const demo = await server.onboard("DEMO", { facilities: ["DC2", "DC1"] });
const other = await server.onboard("OTHER", { facilities: ["DC3"] });
const call = restCalls(server.url, "/v1/facilityService", demo.credentials);
const callAsOther = restCalls(server.url, "/v1/facilityService", other.credentials);
const get = (path: string, headers?: Record<string, string>) => call("GET", path, undefined, headers);

/** Does what `facility set` does. */
async function set(code: string, ...assignments: string[]): Promise<void> {
  const settings = readFacilitySettings(assignments);
  assert.ok(settings.ok, settings.ok ? "" : settings.fault.join());
  const changed = await server.operate((tx, change) => changeFacility(tx, change, code, { settings: settings.value }));
  assert.ok(changed.ok, changed.ok ? "" : changed.fault);
}

const nowhere = {
  companyName: null,
  address1: null,
  address2: null,
  city: null,
  zip: null,
  state: null,
  country: "GB",
  phone: null,
  email: null,
};
const plain = {
  address: nowhere,
  timezone: "Europe/London",
  cutOffTime: null,
  holidays: [],
  capabilities: [],
  operatingDays: ["MON", "TUE", "WED", "THU", "FRI"],
  status: "ACTIVE",
  version: 1,
};

test("a client sees the facilities it may use, in the order of routing, and no others", async () => {
  const { status, body } = await get("/facility/list");
  assert.equal(status, 200);
  assert.deepEqual(body, {
    items: [
      { facilityCode: "DC2", name: "DC2", ...plain },
      { facilityCode: "DC1", name: "DC1", ...plain },
    ],
    nextCursor: null,
  });
  const { body: others } = await callAsOther("GET", "/facility/list?clientId=OTHER");
  assert.deepEqual(
    (others.items as { facilityCode: string }[]).map(({ facilityCode }) => facilityCode),
    ["DC3"],
  );
});

test("pages follow each other, also when a facility is opened to the client between them", async () => {
  const paged = await server.onboard("PAGED", { facilities: ["DC2", "DC1"] });
  const page = restCalls(server.url, "/v1/facilityService", paged.credentials);
  const first = await page("GET", "/facility/list?limit=1");
  assert.equal(typeof first.body.nextCursor, "string");
  await server.operate((tx, change) => changeClient(tx.of("PAGED", change), { facilities: ["DC2", "DC1", "DC3"] }));
  const second = await page("GET", `/facility/list?limit=1&cursor=${first.body.nextCursor}`);
  const last = await page("GET", `/facility/list?limit=1&cursor=${second.body.nextCursor}`);
  assert.deepEqual(
    [first, second, last].flatMap(({ body }) =>
      (body.items as { facilityCode: string }[]).map((item) => item.facilityCode),
    ),
    ["DC2", "DC1", "DC3"],
  );
  assert.equal(last.body.nextCursor, null);
});

test("a client without facilities is answered an empty page", async () => {
  const none = await server.onboard("NONE", { facilities: ["DC1"] });
  await server.operate((tx, change) => changeClient(tx.of("NONE", change), { facilities: [] }));
  const { status, body } = await restCalls(
    server.url,
    "/v1/facilityService",
    none.credentials,
  )("GET", "/facility/list");
  assert.deepEqual([status, body], [200, { items: [], nextCursor: null }]);
});

test("what an operator sets is answered at once, with another version", async () => {
  await set("DC1", "companyName=Gateway Ltd", "address1=1 Gateway Park", "address2=Gate 4", "city=Stanford-le-Hope");
  await set("DC1", "zip=SS17 9DY", "state=Essex", "phone=+44 1632 960100", "email=dc1@example.com", "cutOffTime=17:00");
  await set(
    "DC1",
    "operatingDays=MON-SAT",
    "holidays=2026-12-25:Christmas Day,2026-12-26",
    "capabilities=BULKY,HAZMAT",
  );
  await set("DC1", "status=CLOSED");
  const { status, headers, body } = await get("/facility/get/DC1");
  assert.equal(status, 200);
  assert.equal(headers.get("etag"), '"5"');
  assert.deepEqual(body, {
    facilityCode: "DC1",
    name: "DC1",
    address: {
      companyName: "Gateway Ltd",
      address1: "1 Gateway Park",
      address2: "Gate 4",
      city: "Stanford-le-Hope",
      zip: "SS17 9DY",
      state: "Essex",
      country: "GB",
      phone: "+44 1632 960100",
      email: "dc1@example.com",
    },
    timezone: "Europe/London",
    cutOffTime: "17:00",
    operatingDays: ["MON", "TUE", "WED", "THU", "FRI", "SAT"],
    holidays: [
      { date: "2026-12-25", name: "Christmas Day" },
      { date: "2026-12-26", name: null },
    ],
    capabilities: ["BULKY", "HAZMAT"],
    status: "CLOSED",
    version: 5,
  });
  const { body: list } = await get("/facility/list");
  assert.deepEqual((list.items as unknown[])[1], body);
});

test("a facility that the client may not use is not there, like one that no one has", async () => {
  const [closed, none, odd] = await Promise.all(
    ["DC3", "NOPE", "DC%2F1%27%25"].map((code) => get(`/facility/get/${code}`)),
  );
  for (const answer of [closed, none, odd]) {
    assert.equal(answer?.status, 404);
    assert.equal(answer?.body.type, "/problems/not-found");
    assert.equal(answer?.body.detail, closed?.body.detail);
  }
  assert.equal((await callAsOther("GET", "/facility/get/DC1")).status, 404);
  assert.equal((await callAsOther("GET", "/facility/get/DC3")).status, 200);
});

test("parameters that are wrong are named, and other clients' facilities are no one's", async () => {
  const wrong = await get("/facility/list?limit=0&cursor=made-up&sort=name");
  assert.equal(wrong.status, 400);
  assert.deepEqual(pointersOf(wrong).sort(), ["/query/limit", "/query/sort"]);
  const cursor = await get("/facility/list?cursor=eyJ2IjoxLCJrIjoib3JkZXJzOnJlY2VpdmVkQXQifQ");
  assert.deepEqual([cursor.status, pointersOf(cursor)], [400, ["/query/cursor"]]);
  const unknown = await get("/facility/get/DC1?fields=name");
  assert.deepEqual([unknown.status, pointersOf(unknown)], [400, ["/query/fields"]]);
  const long = await get(`/facility/get/${"D".repeat(65)}`);
  assert.deepEqual([long.status, pointersOf(long)], [400, ["/path/facilityCode"]]);
  for (const path of ["/facility/list?clientId=OTHER", "/facility/get/DC1?clientId=OTHER"]) {
    const foreign = await get(path);
    assert.deepEqual([foreign.status, foreign.body.type], [403, "/problems/client-forbidden"]);
  }
  assert.equal((await call("POST", "/facility/list", {})).status, 405);
  assert.equal((await get("/facility/create")).status, 404);
});
