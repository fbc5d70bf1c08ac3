// carriers.md, Label sources: the calls that the program knows, against stand-ins of their services.
import assert from "node:assert/strict";
import { test } from "node:test";
import { attempt, attemptManifest, exchangeOf, testSource } from "#/delivery/labels/attempt.ts";
import { createSourceClient } from "#/delivery/labels/index.ts";
import { systemClock } from "#/kernel/clock.ts";
import { createIds } from "#/kernel/values/ids.ts";
import { callsOf, type LabelSource, type Manifest, type Purchase, readAnswer } from "#/modules/labels/index.ts";
import { atEnd } from "../../support/app/at-end.ts";
import {
  type AdapterStandIn,
  adapterStandIns,
  expectedSale,
  pathOf,
} from "../../support/carriers/adapter-stand-ins.ts";
import { pdf } from "../../support/carriers/label-stand-in.ts";
import { type Answer, type ReceivedRequest, startReceiver } from "../../support/http/receiver.ts";

const ids = createIds();
const client = createSourceClient({ allowPrivate: true, privateTargets: [] }, systemClock.now);
atEnd(() => client.close());

const values = {
  order: { orderId: "WEB-1" },
  shipDate: "2026-11-26",
  from: { name: "Demo brand", address1: "Dock 1", city: "London", zip: "SS17 9DY", country: "GB" },
  to: { name: "Mary Brown", address1: "1 High Street", city: "Boston", state: "MA", zip: "02108", country: "US" },
  parcel: {
    olpnId: "006141410000000012",
    weight: { kg: 1, g: 1000, lb: 2.205, oz: 35.274 },
    cm: { length: 30, width: 20, height: 10 },
    in: { length: 11.811, width: 7.874, height: 3.937 },
  },
  goods: [],
  customs: {
    contents: "merchandise",
    currency: "GBP",
    goods: [
      {
        sku: "MUG",
        description: "Mug",
        qty: 2,
        unitValue: "10",
        value: 20,
        currency: "GBP",
        hsCode: "691200",
        countryOfOrigin: "GB",
        weight: { kg: 0.7, oz: 24.692 },
        unitWeight: { kg: 0.35, oz: 12.346 },
      },
    ],
  },
};

async function worldOf(standIn: AdapterStandIn) {
  const purchase: Purchase = {
    purchaseId: ids.next(systemClock.now()),
    orderId: "WEB-1",
    olpnId: "006141410000000012",
    facilityCode: "DC1",
    carrierCode: "USPS",
    serviceCode: "PRIO",
    sources: ["S"],
    rank: 0,
    sourceCode: "S",
    status: "PENDING",
    isSent: false,
    tries: 1,
    request: { values },
    externalId: null,
    trackingNumber: null,
    error: null,
  };
  const requests: string[] = [];
  const answers: Partial<Record<"buy" | "lookUp" | "void" | "manifest" | "manifestLookUp", Answer>> = {};
  const manifest: Manifest = {
    manifestId: ids.next(systemClock.now()),
    facilityCode: "DC1",
    sourceCode: "S",
    carrierCode: "USPS",
    status: "PENDING",
    pickupState: null,
    isSent: false,
    tries: 1,
    request: { shipDate: "2026-11-26", shippedAt: "2026-11-26T17:00:00.000Z", from: values.from },
    parcels: ["1", "2"].map((n) => ({
      orderId: `WEB-${n}`,
      olpnId: `00614141000000001${n}`,
      serviceCode: "PRIO",
      trackingNumber: `TRACK-${n}`,
      externalId: `EXT-${n}`,
    })),
  };
  const answerOf = (request: ReceivedRequest): Answer => {
    if (request.path.startsWith("/files/")) return { status: 200, headers: {}, body: pdf };
    const path = pathOf(request, purchase.purchaseId);
    requests.push(path);
    for (const [name, value] of Object.entries(standIn.headers)) {
      if (request.headers[name] !== value) return 401;
    }
    if (path === standIn.paths.buy) {
      const body = JSON.parse(request.body.toString()) as Record<string, unknown>;
      assert.equal(standIn.keyOf(body), purchase.purchaseId);
      standIn.check(body);
      return answers.buy ?? standIn.sold(receiver.url, purchase.purchaseId);
    }
    const { make, lookUp, made, found, check } = standIn.manifest;
    if (path === make) {
      check(JSON.parse(request.body.toString()) as Record<string, unknown>, manifest.manifestId);
      return answers.manifest ?? made(receiver.url, manifest.manifestId);
    }
    if (path === lookUp) return answers.manifestLookUp ?? found(receiver.url, manifest.manifestId);
    if (path === standIn.paths.lookUp) return answers.lookUp ?? standIn.found(receiver.url, [purchase.purchaseId]);
    if (path === standIn.paths.void) return answers.void ?? standIn.voided;
    return path === standIn.paths.test ? { status: 200, body: "{}" } : 404;
  };
  const receiver = await startReceiver({ answer: answerOf });
  atEnd(() => receiver.close());
  const source: LabelSource = {
    sourceCode: "S",
    name: "S",
    kind: standIn.kind,
    url: receiver.url,
    isActive: true,
    definition: { timeoutSeconds: 1, services: { PRIO: standIn.service } },
    headersSealed: null,
    updatedBy: "test",
    createdAt: "2026-11-26T00:00:00.000Z",
    updatedAt: "2026-11-26T00:00:00.000Z",
    version: 1,
  };
  const access = { source, headers: standIn.headers, client };
  return { url: receiver.url, purchase, manifest, requests, answers, access };
}

function assertSold(outcome: Awaited<ReturnType<typeof attempt>>): void {
  assert.ok(outcome.kind === "BOUGHT", JSON.stringify(outcome));
  const { externalId, trackingNumber, price, currency } = outcome.answer;
  assert.deepEqual({ externalId, trackingNumber, price, currency }, expectedSale);
  assert.deepEqual([outcome.label.contentType, outcome.label.bytes], ["application/pdf", pdf]);
}

function assertMade(outcome: Awaited<ReturnType<typeof attemptManifest>>): void {
  assert.ok(outcome.kind === "MADE", JSON.stringify(outcome));
  assert.deepEqual([outcome.answer.externalId, outcome.label?.contentType], ["MAN-1", "application/pdf"]);
  assert.deepEqual(outcome.label?.bytes, pdf);
}

for (const standIn of adapterStandIns) {
  const { kind, paths } = standIn;

  test(`${kind}: the rate of a service has the documented form, and is that of no other service`, async () => {
    const receiver = await startReceiver({ answer: () => standIn.rate.answered(String(standIn.service.service)) });
    atEnd(() => receiver.close());
    const { access } = await worldOf(standIn);
    const source = { ...access.source, url: receiver.url };
    const call = callsOf(source)?.rate;
    assert.ok(call);
    const ofRate = { ...values, parcel: { weight: values.parcel.weight }, service: standIn.service };
    const ask = async () => readAnswer(call, await exchangeOf({ ...access, source }, call, ofRate, 1_000), ofRate);
    const { kind: outcome, price, currency } = await ask();
    assert.deepEqual({ outcome, price, currency }, { outcome: "SUCCEEDED", price: "7.58", currency: "USD" });
    const [request] = receiver.requests;
    assert.ok(request);
    assert.equal(`${request.method} ${request.path}`, standIn.rate.path);
    assert.deepEqual(JSON.parse(request.body.toString()), standIn.rate.body);
    for (const [name, value] of Object.entries(standIn.headers)) assert.equal(request.headers[name], value);
    receiver.answer = standIn.rate.answered("another");
    assert.equal((await ask()).kind, "REFUSED");
  });

  test(`${kind}: a manifest has the documented form, and its document is fetched`, async () => {
    const { manifest, requests, access } = await worldOf(standIn);
    assertMade(await attemptManifest(access, manifest));
    assert.deepEqual(requests, [standIn.manifest.make]);
  });

  test(`${kind}: a manifest is refused with the documented reason; 429 and 5xx are tried again`, async () => {
    const { manifest, answers, access } = await worldOf(standIn);
    const [refusal, error] = standIn.manifest.refusal;
    answers.manifest = refusal;
    assert.deepEqual(await attemptManifest(access, manifest), { kind: "REFUSED", error });
    answers.manifest = { status: 429, headers: { "retry-after": "3" } };
    const throttled = await attemptManifest(access, manifest);
    assert.deepEqual(throttled, { kind: "LATER", error: "status 429", isUnknown: false, retryAfterMs: 3_000 });
    answers.manifest = 503;
    const away = await attemptManifest(access, manifest);
    assert.deepEqual([away.kind, "isUnknown" in away && away.isUnknown], ["LATER", true]);
    if (standIn.manifest.pending === undefined) return;
    answers.manifest = standIn.manifest.pending;
    assert.equal((await attemptManifest(access, manifest)).kind, "LATER");
  });

  test(`${kind}: after a time-out the manifest is found; where there is none, it is asked for again`, async () => {
    const { manifest, requests, answers, access } = await worldOf(standIn);
    const { make, lookUp, found } = standIn.manifest;
    answers.manifest = "hang";
    const lost = await attemptManifest(access, manifest);
    assert.deepEqual([lost.kind, "isUnknown" in lost && lost.isUnknown], ["LATER", true]);
    assertMade(await attemptManifest(access, { ...manifest, isSent: true }));
    assert.deepEqual(requests, [make, lookUp]);
    delete answers.manifest;
    answers.manifestLookUp = found("", undefined);
    assertMade(await attemptManifest(access, { ...manifest, isSent: true }));
    assert.deepEqual(requests.slice(2), [lookUp, make]);
  });

  test(`${kind}: a purchase has the documented form, and its answer gives label, number and price`, async () => {
    const { purchase, requests, access } = await worldOf(standIn);
    assertSold(await attempt(access, purchase));
    assert.deepEqual(requests, [paths.buy]);
  });

  test(`${kind}: a documented refusal is the reason; 429 and 5xx are tried again`, async () => {
    const { purchase, answers, access } = await worldOf(standIn);
    const [refusal, error] = standIn.refusal;
    answers.buy = refusal;
    assert.deepEqual(await attempt(access, purchase), { kind: "REFUSED", error });
    answers.buy = { status: 429, headers: { "retry-after": "3" } };
    const throttled = await attempt(access, purchase);
    assert.deepEqual(throttled, { kind: "LATER", error: "status 429", isUnknown: false, retryAfterMs: 3_000 });
    answers.buy = 503;
    const away = await attempt(access, purchase);
    assert.deepEqual([away.kind, "isUnknown" in away && away.isUnknown], ["LATER", true]);
  });

  test(`${kind}: after a time-out the sale is found by its key; where there is none, the same key is sent again`, async () => {
    const { purchase, requests, answers, access } = await worldOf(standIn);
    answers.buy = "hang";
    const lost = await attempt(access, purchase);
    assert.deepEqual([lost.kind, "isUnknown" in lost && lost.isUnknown], ["LATER", true]);
    assertSold(await attempt(access, { ...purchase, isSent: true }));
    assert.deepEqual(requests, [paths.buy, paths.lookUp]);
    delete answers.buy;
    answers.lookUp = standIn.found("", []);
    assertSold(await attempt(access, { ...purchase, isSent: true }));
    assert.deepEqual(requests.slice(2), [paths.lookUp, paths.buy]);
  });

  test(`${kind}: a sale is given back; a 500 is tried again, and what the service keeps has its reason`, async () => {
    const { purchase, requests, answers, access } = await worldOf(standIn);
    const voiding: Purchase = { ...purchase, status: "VOIDING", isSent: true, externalId: "EXT-1" };
    assert.deepEqual(await attempt(access, voiding), { kind: "VOIDED" });
    answers.void = 500;
    assert.equal((await attempt(access, voiding)).kind, "LATER");
    const [kept, error] = standIn.kept;
    answers.void = kept;
    assert.deepEqual(await attempt(access, voiding), { kind: "REFUSED", error });
    delete answers.void;
    requests.length = 0;
    assert.deepEqual(await attempt(access, { ...voiding, externalId: null }), { kind: "VOIDED" });
    assert.deepEqual(requests, [paths.lookUp, paths.void]);
    answers.lookUp = standIn.found("", []);
    assert.deepEqual(await attempt(access, { ...voiding, externalId: null }), { kind: "VOIDED" });
    assert.deepEqual(requests.at(-1), paths.lookUp);
  });

  test(`${kind}: the test request proves the secrets`, async () => {
    const { access } = await worldOf(standIn);
    assert.deepEqual(await testSource(access), { isGood: true, detail: "status 200" });
    assert.deepEqual(await testSource({ ...access, headers: {} }), { isGood: false, detail: "status 401" });
  });

  if (standIn.queued !== undefined) {
    test(`${kind}: a label that follows later is looked up`, async () => {
      const { purchase, answers, access } = await worldOf(standIn);
      answers.buy = standIn.queued as Answer;
      const pending = await attempt(access, purchase);
      assert.deepEqual([pending.kind, "externalId" in pending && pending.externalId], ["LATER", "EXT-1"]);
    });
  }
}
