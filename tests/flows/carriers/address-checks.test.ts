// feeds.md, NO: addresses of accepted orders are verified by a source that operators set up.
import assert from "node:assert/strict";
import { test } from "node:test";
import { atEnd } from "../../support/app/at-end.ts";
import { commandLine } from "../../support/app/cli.ts";
import { signIn } from "../../support/app/console.ts";
import { testServer } from "../../support/app/server.ts";
import { until } from "../../support/app/until.ts";
import { order, type Parts } from "../../support/builders/documents.ts";
import { type Life, lifeOf } from "../../support/builders/life.ts";
import { carrierDataOf, serviceOf } from "../../support/carriers/carriers.ts";
import { createSource, secret, standInDefinition, startLabelStandIn } from "../../support/carriers/label-stand-in.ts";
import { startReceiver } from "../../support/http/receiver.ts";
import { restCalls } from "../../support/http/rest-calls.ts";
import { scrape } from "../../support/http/scrape.ts";
import { packingWorld } from "../../support/papers/packing.ts";
import { warehouseOf } from "../../support/warehouse/warehouse-port.ts";

const server = await testServer();
const dc1 = await warehouseOf(server);
const crossdock = commandLine(server);
const admin = await signIn(server, "admin");

const requests: Readonly<Record<string, unknown>>[] = [];
/** A verifier whose answer depends on the street. */
const verifier = await startReceiver({
  answer: ({ headers, body }) => {
    if (headers.authorization !== secret) return 401;
    const { to } = JSON.parse(body.toString()) as { to: Record<string, string> };
    requests.push(to);
    const street = to.line ?? "";
    const answer = (verdict: string, more: object = {}) => ({
      status: 200,
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ verdict, street: street.toUpperCase(), ...more }),
    });
    if (street.startsWith("Nowhere")) return answer("no", { why: "There is no such street." });
    if (street.startsWith("Perhaps")) return answer("maybe");
    if (street.startsWith("Old")) return answer("yes", { street: street.replace("Old", "New"), code: "LS1 4AQ" });
    if (street.startsWith("Hang")) return "hang";
    if (street.startsWith("Odd")) return answer("42");
    if (street.startsWith("Fail")) return 500;
    return answer("yes");
  },
});
atEnd(() => verifier.close());
const equal = (value: string) => ({ field: "verdict", op: "eq", value });
const definition = {
  timeoutSeconds: 1,
  calls: {
    verify: {
      method: "POST",
      path: "/verify",
      body: { to: { line: "{to.address1}", city: "{to.city}", code: "{to.zip}", name: "{to.name}" } },
      undeliverable: equal("no"),
      doubtful: equal("maybe"),
      deliverable: equal("yes"),
      answer: { address1: ["street"], zip: ["code"], reason: ["why"] },
    },
  },
};
await createSource(admin, "ADDRESSES", verifier.url, { definition });
const carrier = await startLabelStandIn();
atEnd(() => carrier.close());
await createSource(admin, "CARRIER", carrier.url, { definition: standInDefinition });

const to = (address1: string): Parts => ({
  distributionCentre: "DC1",
  shipToAddress: { firstName: "Ada", lastName: "Lovelace", address1, city: "Leeds", zip: "LS1 4AP", country: "GB" },
});
async function world(clientId: string, settings: Record<string, string>) {
  const life = await lifeOf(server, dc1, clientId, { items: ["A"], settings });
  await life.stock([{ sku: "A", qty: 100 }]);
  const rest = restCalls(server.url, "/v1/orderService", life.client.credentials);
  const explained = async (orderId: string) => (await rest("GET", `/order/explain/${orderId}`)).body;
  const addressOf = async (orderId: string) => (await explained(orderId)).address as Record<string, unknown> | null;
  const verdictOf = async (orderId: string) => (await addressOf(orderId))?.verdict;
  return { ...life, rest, explained, addressOf, verdictOf };
}
const stand = (life: Pick<Life, "stands">, orderId: string, wanted: string) =>
  until(`${orderId} ${wanted}`, async () => (await life.stands(orderId)) === wanted);
const isHeldFor = "ON_HOLD (ADDRESS_INVALID: shipToAddress cannot be delivered to: There is no such street.) Open 1";

test("an order waits for its verifier; a good address goes on, an undeliverable one is held, and the answer is cached", async () => {
  const life = await world("HOLDS", { addressCheck: "HOLD" });
  await life.place("GOOD", ["A"], to("1 Mill Road"));
  await stand(life, "GOOD", "ALLOCATED Allocated 1");
  assert.deepEqual((await life.signals("GOOD")).slice(0, 6), [
    "order:received",
    10,
    20,
    "order:held",
    30,
    "order:released",
  ]);
  assert.equal(await life.verdictOf("GOOD"), "DELIVERABLE");
  assert.deepEqual(
    requests.at(-1),
    { line: "1 Mill Road", city: "Leeds", code: "LS1 4AP" },
    "the recipient is not sent",
  );
  await life.place("BAD", ["A"], to("Nowhere 1"));
  await stand(life, "BAD", isHeldFor);
  await life.place("MAYBE", ["A"], to("Perhaps 1"));
  await stand(life, "MAYBE", "ON_HOLD (ADDRESS_INVALID: shipToAddress is doubtful) Open 1");
  const before = requests.length;
  const { token } = await life.client.accept("NO", order("HOLDS", "AGAIN", ["A"], to("NOWHERE, 1")));
  assert.deepEqual((await life.client.status(token)).warnings, [
    "[ADDRESS] Order AGAIN: shipToAddress: cannot be delivered to: There is no such street.",
  ]);
  assert.equal(await life.stands("AGAIN"), isHeldFor);
  await life.place("AS GOOD", ["A"], to("1 mill road"));
  assert.equal(await life.stands("AS GOOD"), "ALLOCATED Allocated 1");
  assert.equal(requests.length, before);
  await life.update("BAD", ["A"], to("2 Mill Road"));
  await stand(life, "BAD", "ALLOCATED Allocated 1");
  const patched = await life.rest("PATCH", "/order/update/MAYBE", { shipToAddress: { address1: "3 Mill Road" } });
  assert.equal(patched.status, 200, JSON.stringify(patched.body));
  await stand(life, "MAYBE", "ALLOCATED Allocated 1");
  await life.assertSound();
});

test("with REFUSE a known undeliverable address is refused, and an unknown one holds its order", async () => {
  const life = await world("REFUSES", { addressCheck: "REFUSE" });
  await life.place("FIRST", ["A"], to("Nowhere 2"));
  await stand(life, "FIRST", isHeldFor);
  const fault = "shipToAddress: cannot be delivered to: There is no such street.";
  await life.client.refuse(
    "NO",
    order("REFUSES", "SECOND", ["A"], to("Nowhere 2")),
    `[ADDRESS] Order SECOND: ${fault}`,
  );
  await life.place("THIRD", ["A"], to("4 Mill Road"));
  await stand(life, "THIRD", "ALLOCATED Allocated 1");
  const patched = await life.rest("PATCH", "/order/update/THIRD", { shipToAddress: { address1: "Nowhere 2" } });
  assert.deepEqual(
    [patched.status, patched.body.errors],
    [422, [{ pointer: "#/shipToAddress", message: "cannot be delivered to: There is no such street." }]],
  );
});

test("with WARN an order never waits, and a client without the setting is not verified", async () => {
  const life = await world("WARNS", { addressCheck: "WARN" });
  await life.place("1", ["A"], to("Nowhere 3"));
  assert.equal(await life.stands("1"), "ALLOCATED Allocated 1");
  await until("the verdict", async () => (await life.verdictOf("1")) === "UNDELIVERABLE");
  const off = await world("OFF", {});
  await off.place("1", ["A"], to("Nowhere 4"));
  assert.equal(await off.stands("1"), "ALLOCATED Allocated 1");
  assert.equal(await off.addressOf("1"), null);
});

test("a verifier that hangs, fails or speaks nonsense delays an order for seconds, and no other order", async () => {
  const life = await world("WAITS", { addressCheck: "HOLD" });
  for (const street of ["Hang", "Fail", "Odd"]) await life.place(street, ["A"], to(`${street} 1`));
  const other = await world("GOES", { addressCheck: "HOLD" });
  await other.place("1", ["A"], to("5 Mill Road"));
  await stand(other, "1", "ALLOCATED Allocated 1");
  assert.match(await life.stands("Hang"), /^ON_HOLD \(ADDRESS_CHECK: the address is being verified\)/);
  assert.match(String((await life.explained("Hang")).next), /^It is released when the verifier answers/);
  for (const street of ["Hang", "Fail", "Odd"]) await stand(life, street, "ALLOCATED Allocated 1");
  assert.deepEqual(
    await Promise.all(["Hang", "Fail", "Odd"].map(async (street) => (await life.addressOf(street))?.reason)),
    ["timeout: not ended within 1000 ms", "status 500 without a verdict", "status 200 without a verdict"],
  );
  assert.equal(await life.verdictOf("Hang"), "UNCHECKED");
  const counted = (await scrape(server.url)).get("crossdock_address_requests_total")?.samples ?? [];
  const failed = counted.find(({ labels }) => labels.outcome === "failed");
  assert.ok(Number(failed?.value) >= 6, "each of the three was asked more than once");
});

test("a correction is kept beside the address, and is on the label where the client wants it", async () => {
  const data = carrierDataOf(
    serviceOf("RM48", "RM", 3, { trackingUrl: "https://rm.example/{trackingNumber}", labelSources: ["CARRIER"] }),
  );
  for (const [clientId, useCorrectedAddress, label] of [
    ["KEEPS", "false", { street: "Old Road 1", zip: "LS1 4AP" }],
    ["CORRECTS", "true", { street: "New Road 1", zip: "LS1 4AQ" }],
  ] as const) {
    const life = await packingWorld({ server, dc1 }, clientId, data);
    await life.client.set({ addressCheck: "HOLD", useCorrectedAddress });
    await life.place("1", ["A"], to("Old Road 1"));
    await stand(life, "1", "ALLOCATED Allocated 1");
    const rest = restCalls(server.url, "/v1/orderService", life.client.credentials);
    const { address } = (await rest("GET", "/order/explain/1")).body as { address: Record<string, unknown> };
    assert.equal(address.verdict, "CORRECTED");
    assert.deepEqual(address.correction, { address1: "New Road 1", zip: "LS1 4AQ" });
    assert.equal((await life.shown("1")).shipToAddress.address1, "Old Road 1");
    await life.pick("1", 1);
    await life.packOne("1");
    await until("the label", () => carrier.sales.length > 0);
    const sold = carrier.sales.pop()?.body.to as Record<string, string>;
    assert.deepEqual({ street: sold.street, zip: sold.zip }, label);
  }
});

test("the erasure of an order erases its correction, which no later order finds", async () => {
  const life = await world("ERASES", { addressCheck: "HOLD" });
  await life.place("FIRST", ["A"], to("Old Lane 7"));
  await stand(life, "FIRST", "ALLOCATED Allocated 1");
  assert.match(JSON.stringify(await life.addressOf("FIRST")), /New Lane 7/);
  const cancelled = await life.rest("POST", "/order/cancel/FIRST", { reason: "changed mind" });
  assert.equal(cancelled.body.outcome, "CANCELLED", JSON.stringify(cancelled.body));
  const before = requests.length;
  await life.place("SECOND", ["A"], to("Old Lane 7"));
  assert.equal(await life.stands("SECOND"), "ALLOCATED Allocated 1");
  assert.equal(requests.length, before, "the answer is cached");
  assert.equal((await life.rest("POST", "/order/cancel/SECOND", { reason: "changed mind" })).status, 200);
  for (const orderId of ["FIRST", "SECOND"]) {
    const erased = await crossdock(["person", "erase", "--client", "ERASES", "--order", orderId]);
    assert.equal(erased.code, 0, erased.stderr);
    assert.doesNotMatch(JSON.stringify((await life.explained(orderId)).address ?? null), /Lane 7/);
  }
  await life.place("THIRD", ["A"], to("Old Lane 7"));
  await stand(life, "THIRD", "ALLOCATED Allocated 1");
  assert.equal(requests.length, before + 1);
});
