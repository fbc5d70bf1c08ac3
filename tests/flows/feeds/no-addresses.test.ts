// feeds.md §4 NO: the recipient of an order, and doubtful parts of an address; the client's settings determine the
// consequences.
import assert from "node:assert/strict";
import { test } from "node:test";
import { testServer } from "../../support/app/server.ts";
import { catalogue, leeds, order, type Parts } from "../../support/builders/documents.ts";
import { pointersOf, restCalls } from "../../support/http/rest-calls.ts";

const server = await testServer();
const austin = { lastName: "Reyes", address1: "500 Congress Ave", city: "Austin", zip: "78701", country: "US" };
const nobody: Parts = { ...leeds, lastName: undefined, title: "Ms" };
const doubtful: Parts = { ...austin, email: "nonsense", phone: "call me" };
const sentences = [
  "[ADDRESS] Order {id}: shipToAddress/state: is required in US",
  "[ADDRESS] Order {id}: shipToAddress/email: 'nonsense' is no e-mail address such as jane@example.com",
  "[ADDRESS] Order {id}: shipToAddress/phone: 'call me' is no telephone number such as +44 20 7946 0000",
];
const saidOf = (id: string) => sentences.map((sentence) => sentence.replace("{id}", id));

async function clientOf(clientId: string, settings: Record<string, string> = {}) {
  const client = await server.onboard(clientId, { settings });
  await client.accept("CAT", catalogue(clientId, ["A"]));
  const rest = restCalls(server.url, "/v1/orderService", client.credentials);
  const send = (orderId: string, shipToAddress: Parts, more: Parts = {}) =>
    order(clientId, orderId, ["A"], { shipToAddress, ...more });
  const holdsOf = async (orderId: string) => {
    const { body } = await rest("GET", `/order/get/${orderId}`);
    return (body.holds as { type: string; reason: string; by: string }[]).map(
      ({ type, reason, by }) => `${type} by ${by}: ${reason}`,
    );
  };
  return { client, rest, send, holdsOf };
}

test("an order without a name or company in its address is refused", async () => {
  const { client, send } = await clientOf("NOBODY");
  const namesNobody = "[ADDRESS] Order 1: shipToAddress: has no name: send a firstName, lastName or companyName";
  await client.refuse("NO", send("1", nobody), namesNobody);
  await client.refuse("NO", send("1", { ...nobody, lastName: " " }), namesNobody);
  for (const [i, name] of [{ companyName: "Acme" }, { firstName: "Zoë" }, { lastName: "Khan" }].entries())
    await client.accept("NO", send(`S-${i}`, { ...nobody, ...name }));
  await client.refuse("NO", send("S-0", nobody, { actionType: "UPDATE" }), namesNobody.replace("1:", "S-0:"));
});

test("a missing state, an e-mail address and a telephone number that cannot be are warned of", async () => {
  const { client, send, holdsOf } = await clientOf("WARNED");
  const { token } = await client.accept("NO", send("1", doubtful));
  assert.deepEqual((await client.status(token)).warnings, saidOf("1"));
  assert.deepEqual(await holdsOf("1"), []);
  const good = {
    ...austin,
    state: "TX",
    email: "ann@example.com",
    phone: "+1 (512) 555-0100 x12",
    mobile: "07700 900123",
  };
  for (const [i, state] of ["TX", "us-tx", "Texas"].entries()) {
    const accepted = await client.accept("NO", send(`G-${i}`, { ...good, state }));
    assert.deepEqual((await client.status(accepted.token)).warnings, [], state);
  }
  const { token: wrong } = await client.accept("NO", send("2", { ...good, state: "Ontario" }));
  assert.deepEqual((await client.status(wrong)).warnings, [
    "[ADDRESS] Order 2: shipToAddress/state: 'Ontario' is no state of US; send its code or its name",
  ]);
  const billToAddress = { ...austin, state: "XX" };
  const { token: billed } = await client.accept("NO", send("3", leeds, { billToAddress }));
  assert.match(String((await client.status(billed)).warnings), /billToAddress\/state: 'XX' is no state of US/);
});

test("with doubtfulAddress REFUSE such an order is refused, by feed and by REST", async () => {
  const { client, rest, send } = await clientOf("REFUSED", { doubtfulAddress: "REFUSE" });
  await client.refuse("NO", send("1", doubtful), ...saidOf("1"));
  await client.accept("NO", send("2", leeds));
  const patched = await rest("PATCH", "/order/update/2", { shipToAddress: { ...austin, email: "nonsense" } });
  assert.deepEqual([patched.status, pointersOf(patched)], [422, ["#/shipToAddress/state", "#/shipToAddress/email"]]);
  const nameless = await rest("PATCH", "/order/update/2", { shipToAddress: { lastName: null } });
  assert.deepEqual([nameless.status, pointersOf(nameless)], [422, ["#/shipToAddress"]]);
  const better = await rest("PATCH", "/order/update/2", { shipToAddress: { ...austin, state: "TX" } });
  assert.equal(better.status, 200, JSON.stringify(better.body));
});

test("with HOLD the order is held ADDRESS_INVALID until its address is corrected or someone lifts the hold", async () => {
  const { client, rest, send, holdsOf } = await clientOf("HELD", { doubtfulAddress: "HOLD", namelessAddress: "HOLD" });
  const { token } = await client.accept("NO", send("1", doubtful));
  assert.deepEqual((await client.status(token)).warnings, saidOf("1"));
  const reason = "shipToAddress/state is required in US; shipToAddress/email is no e-mail address";
  assert.deepEqual(await holdsOf("1"), [
    `ADDRESS_INVALID by feed: ${reason}; shipToAddress/phone is no telephone number`,
  ]);
  await client.accept("NO", send("1", leeds, { actionType: "UPDATE" }));
  assert.deepEqual(await holdsOf("1"), []);
  await client.accept("NO", send("1", nobody, { actionType: "UPDATE" }));
  assert.deepEqual(await holdsOf("1"), ["ADDRESS_INVALID by feed: shipToAddress has no name"]);
  // A change of another field does not affect the address.
  assert.equal((await rest("PATCH", "/order/update/1", { priority: 2 })).status, 200);
  assert.equal((await holdsOf("1")).length, 1);
  assert.equal((await rest("PATCH", "/order/update/1", { shipToAddress: { companyName: "Acme" } })).status, 200);
  assert.deepEqual(await holdsOf("1"), []);
  assert.equal((await rest("PATCH", "/order/update/1", { shipToAddress: { email: "nonsense" } })).status, 200);
  assert.deepEqual(await holdsOf("1"), ["ADDRESS_INVALID by client:HELD: shipToAddress/email is no e-mail address"]);
});
