// carriers.md, Manifests: what leaves a facility is listed for its carrier at the cut-off, and what does not has its reason.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createManifestRounds } from "#/delivery/labels/index.ts";
import { createIds } from "#/kernel/values/ids.ts";
import { atEnd } from "../../support/app/at-end.ts";
import { signIn } from "../../support/app/console.ts";
import { testServer } from "../../support/app/server.ts";
import { until } from "../../support/app/until.ts";
import { carrierDataOf, serviceOf } from "../../support/carriers/carriers.ts";
import { createSource, pdf, standInDefinition, startLabelStandIn } from "../../support/carriers/label-stand-in.ts";
import { packingWorld } from "../../support/papers/packing.ts";
import { warehouseOf } from "../../support/warehouse/warehouse-port.ts";

const server = await testServer();
const dc1 = await warehouseOf(server);
const admin = await signIn(server, "admin");
const [first, second] = [await startLabelStandIn(), await startLabelStandIn()];
for (const standIn of [first, second]) atEnd(() => standIn.close());
await createSource(admin, "FIRST", first.url);
const { manifest: _, manifestLookUp: _lookUp, ...calls } = standInDefinition.calls ?? assert.fail();
await createSource(admin, "LISTED", second.url, { definition: { ...standInDefinition, calls } });
const pickup = {
  method: "POST" as const,
  path: "/pickups",
  body: { manifest: "{manifest.key}", parcels: "{manifest.parcels}", day: "{shipDate}", from: "{from.zip}" },
  answer: { externalId: ["id"], error: ["error"] },
};
await createSource(admin, "COLLECTED", first.url, {
  definition: { ...standInDefinition, calls: { ...standInDefinition.calls, pickup } },
});

const worldOf = (clientId: string, ...labelSources: string[]) =>
  packingWorld({ server, dc1 }, clientId, carrierDataOf(serviceOf("RM48", "RM", 3, { labelSources })));

interface Row {
  readonly manifestId: string;
  readonly status: string;
  readonly parcels: number;
  readonly leftOut: number;
  readonly cutOffAt: string | null;
  readonly contentType: string | null;
  readonly error: string | null;
}
async function manifests(clientId: string): Promise<Row[]> {
  const { status, body } = await admin.get(`/labelManifest/list?clientId=${clientId}`);
  assert.equal(status, 200, JSON.stringify(body));
  return (body.items as Row[]).toSorted((left, right) => (left.manifestId < right.manifestId ? -1 : 1));
}
const become = (clientId: string, ...wanted: string[]) =>
  until(`${clientId}: ${wanted}`, async () => {
    const rows = await manifests(clientId);
    return `${rows.map(({ status, parcels, leftOut }) => `${status} ${parcels}/${leftOut}`)}` === `${wanted}`;
  });
const make = (clientId: string, sourceCode: string) =>
  admin.post(`/labelManifest/create?clientId=${clientId}`, { distributionCentre: "DC1", sourceCode });
const get = (clientId: string, path: string, { manifestId }: { readonly manifestId: string }) =>
  admin.get(`/labelManifest/${path}/${manifestId}?clientId=${clientId}`);
const bought = (clientId: string, count: number) =>
  until(`${count} labels`, async () => {
    const { body } = await admin.get(`/labelPurchase/list?clientId=${clientId}&status=BOUGHT`);
    return body.items.length === count;
  });

/** A round of the worker at the next cut-off, 12 hours from now, as often as wanted. */
async function cutOff(): Promise<() => Promise<void>> {
  const at = new Date(Date.now() + 12 * 3_600_000);
  const { body } = await admin.get("/facilityDirectory/get/DC1");
  const local = new Intl.DateTimeFormat("en-GB", { timeZone: body.timezone, hour: "2-digit", minute: "2-digit" });
  const settings = { cutOffTime: local.format(at), operatingDays: "MON-SUN" };
  const changed = await admin.patch("/facilityDirectory/patch/DC1", { settings });
  assert.equal(changed.status, 200, JSON.stringify(changed.body));
  const context = {
    database: server.database,
    clock: { now: () => at.getTime() },
    ids: createIds(),
    findClient: async (clientId: string) => ({ name: clientId }),
    onStarted: () => {},
  };
  return () => createManifestRounds(context)();
}

test("at the cut-off a source makes the manifest of what has left, once; the others have their reason, and their next one", async () => {
  const life = await worldOf("CUTS", "FIRST");
  await life.picked("1", 4);
  const [gone, here, voided] = await life.pack("1", {}, {}, {});
  assert.ok(gone && here && voided);
  await bought("CUTS", 3);
  await dc1.report("parcel/void", { clientId: "CUTS", olpnId: voided.olpnId });
  await life.despatch(gone.olpnId);
  const round = await cutOff();
  await round();
  await round();
  // The worker goes by the real time.
  await server.rows("update label_manifest set due_at = now(), created_at = now() where due_at > now()");
  await become("CUTS", "MADE 1/2");
  const [row] = await manifests("CUTS");
  assert.ok(row);
  assert.deepEqual([row.contentType, row.error, row.cutOffAt !== null], ["application/pdf", null, true]);
  const { body } = await get("CUTS", "get", row);
  assert.deepEqual(
    body.parcels.map(({ olpnId }: { olpnId: string }) => olpnId),
    [gone.olpnId],
  );
  assert.deepEqual(
    body.leftOut.map(({ olpnId, reason }: { olpnId: string; reason: string }) => `${olpnId} ${reason}`).sort(),
    [`${here.olpnId} NOT_LOADED`, `${voided.olpnId} VOIDED`].sort(),
  );
  const document = await get("CUTS", "document", row);
  assert.deepEqual([document.headers.get("content-type"), document.body], ["application/pdf", pdf]);
  assert.deepEqual(first.manifests.at(-1)?.labels, [first.sales[0]?.id]);
  await life.despatch(here.olpnId);
  assert.equal((await make("CUTS", "FIRST")).body.manifestIds.length, 1);
  await become("CUTS", "MADE 1/0", "MADE 1/2");
  assert.deepEqual((await make("CUTS", "FIRST")).body.manifestIds, []);
});

test("a label bought elsewhere and one that no source sells are left out with their reason", async () => {
  const life = await worldOf("ELSEWHERE", "FIRST", "LISTED");
  first.fail("refuse");
  await life.picked("1", 1);
  await life.packOne("1");
  await bought("ELSEWHERE", 1);
  await make("ELSEWHERE", "FIRST");
  const [row] = await manifests("ELSEWHERE");
  assert.ok(row);
  assert.deepEqual([row.status, row.parcels], ["EMPTY", 0]);
  assert.equal((await get("ELSEWHERE", "get", row)).body.leftOut[0].reason, "BOUGHT_ELSEWHERE");
  const lost = await worldOf("UNSOLD", "FIRST");
  await lost.picked("1", 1);
  await lost.packOne("1");
  await until("the refusal", async () => {
    const { body } = await admin.get("/labelPurchase/list?clientId=UNSOLD&status=FAILED");
    return body.items.length === 1;
  });
  await make("UNSOLD", "FIRST");
  const [unsold] = await manifests("UNSOLD");
  assert.ok(unsold);
  assert.equal((await get("UNSOLD", "get", unsold)).body.leftOut[0].reason, "REFUSED");
  first.fail("none");
});

test("an answer that is lost is looked up; a refusal waits for a person, and the retry leaves out what was voided", async () => {
  const life = await worldOf("LOSES", "FIRST");
  await life.ship("1", "A", 1);
  await bought("LOSES", 1);
  const before = first.manifests.length;
  first.failManifests("sold-and-lost", "none");
  first.requests.length = 0;
  await make("LOSES", "FIRST");
  await become("LOSES", "MADE 1/0");
  assert.deepEqual(first.requests.slice(0, 2), ["POST /manifests", "GET /manifests/KEY"]);
  assert.equal(first.manifests.length, before + 1);
  first.failManifests("refuse");
  await life.ship("2", "A", 1, 1);
  await bought("LOSES", 3);
  await make("LOSES", "FIRST");
  await become("LOSES", "MADE 1/0", "FAILED 2/0");
  const [made, failed] = await manifests("LOSES");
  assert.ok(made && failed);
  assert.equal(failed.error, "a label has another origin");
  const waiting = await get("LOSES", "document", failed);
  assert.deepEqual([waiting.status, waiting.body.detail], [409, "The manifest is FAILED: it has no document yet."]);
  const retry = ({ manifestId }: Row) => admin.post(`/labelManifest/retry/${manifestId}?clientId=LOSES`, {});
  assert.equal((await retry(made)).status, 409);
  const [{ olpnId }] = (await get("LOSES", "get", failed)).body.parcels;
  await server.rows("update label_purchase set status = 'VOIDED' where client_id = 'LOSES' and olpn_id = $1", olpnId);
  first.failManifests("error", "none");
  assert.equal((await retry(failed)).status, 204);
  await become("LOSES", "MADE 1/0", "MADE 1/1");
});

test("a source without the call, and OWN, have the platform's list", async () => {
  const life = await worldOf("LISTS", "LISTED");
  const [olpnId] = await life.ship("1", "A", 1);
  await bought("LISTS", 1);
  await make("LISTS", "LISTED");
  await become("LISTS", "MADE 1/0");
  const [row] = await manifests("LISTS");
  assert.ok(row);
  const list = await get("LISTS", "document", row);
  assert.equal(list.headers.get("content-type"), "text/csv");
  assert.match(String(list.body), new RegExp(`^Tracking number,Parcel,Order\\r\\nT\\d+,${olpnId},1\\r\\n$`));
  const printing = await worldOf("PRINTS", "OWN");
  const [printed] = await printing.ship("1", "A", 1);
  await make("PRINTS", "OWN");
  await become("PRINTS", "MADE 1/0");
  const [ofOwn] = await manifests("PRINTS");
  assert.ok(ofOwn);
  assert.match(String((await get("PRINTS", "document", ofOwn)).body), new RegExp(`,${printed},1`));
  assert.deepEqual((await make("PRINTS", "OWN")).body.manifestIds, []);
});

test("unknown facilities, sources and manifests are 404", async () => {
  await worldOf("NONE", "FIRST");
  for (const path of ["get", "document"]) {
    assert.equal((await get("NONE", path, { manifestId: "none" })).status, 404);
  }
  assert.equal((await admin.post("/labelManifest/retry/none?clientId=NONE", {})).status, 404);
  assert.equal((await make("NONE", "UNKNOWN")).status, 404);
  const elsewhere = { distributionCentre: "DC99", sourceCode: "FIRST" };
  assert.equal((await admin.post("/labelManifest/create?clientId=NONE", elsewhere)).status, 404);
});

test("the collection of a manifest is booked once; a refusal and a lost answer wait for an operator", async () => {
  const life = await worldOf("COLLECTS", "COLLECTED");
  const collected = async (orderId: string): Promise<string> => {
    await life.picked(orderId);
    const { olpnId } = await life.packOne(orderId);
    await until(`${orderId} is bought`, async () => {
      const { body } = await admin.get("/labelPurchase/list?clientId=COLLECTS&status=BOUGHT");
      return body.items.some((row: { olpnId: string }) => row.olpnId === olpnId);
    });
    await life.despatch(olpnId);
    const { body } = await make("COLLECTS", "COLLECTED");
    return body.manifestIds[0];
  };
  const collection = async (manifestId: string) => {
    const { body } = await get("COLLECTS", "get", { manifestId });
    return [body.status, body.pickupState, body.pickupId, body.pickupError];
  };
  const ends = async (manifestId: string, ...wanted: (string | null)[]) =>
    until(`${manifestId} ${wanted}`, async () => `${await collection(manifestId)}` === `${["MADE", ...wanted]}`);

  first.failPickups("throttle", "none");
  const booked = await collected("1");
  await ends(booked, "BOOKED", "PU1", null);
  assert.deepEqual(
    first.pickups.map(({ manifest, parcels }) => [manifest, parcels]),
    [[booked, 1]],
  );
  first.failPickups("refuse");
  const refused = await collected("2");
  await ends(refused, "FAILED", null, "no driver on this day");
  first.failPickups("sold-and-lost", "none");
  const retry = (manifestId: string) => admin.post(`/labelManifest/retry/${manifestId}?clientId=COLLECTS`, {});
  assert.equal((await retry(refused)).status, 204);
  await until("the answer is lost", async () => /may be booked/.test(`${(await collection(refused))[3]}`));
  assert.deepEqual([(await collection(refused))[1], first.pickups.length], ["FAILED", 2], "it is not booked twice");
  assert.equal((await retry(refused)).status, 204);
  await ends(refused, "BOOKED", "PU3", null);
  assert.equal((await retry(booked)).status, 409);
});
