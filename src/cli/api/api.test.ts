import assert from "node:assert/strict";
import { test } from "node:test";
import { sealLocalOwner } from "#/console-api/access/local-owner.ts";
import { createSecretBox } from "#/kernel/security/secret-box.ts";
import { commandLine } from "../../../tests/support/app/cli.ts";
import { accessTokenOf, testServer } from "../../../tests/support/app/server.ts";
import { purchaseOrder } from "../../../tests/support/builders/documents.ts";
import { lifeOf } from "../../../tests/support/builders/life.ts";
import {
  exampleRequest,
  listPublishedOperations,
  type PublishedOperation,
  urlOf,
} from "../../../tests/support/http/published-operations.ts";
import { warehouseOf } from "../../../tests/support/warehouse/warehouse-port.ts";

const server = await testServer();
const life = await lifeOf(server, await warehouseOf(server), "ACME");
const command = commandLine(server);
const crossdock = (...words: string[]) => command(words);

await life.stock([{ sku: "A", qty: 10 }]);
await life.client.accept("PO", purchaseOrder("ACME", "PO-1", [{ sku: "A", qty: 12 }]));
await life.place("WEB/1", [{ sku: "A", qty: 2 }]);
await life.place("WEB/2", [{ sku: "A", qty: 20 }]);

async function accepted(...words: string[]): Promise<string> {
  const { code, stdout, stderr } = await crossdock(...words);
  assert.equal(code, 0, stderr);
  return stdout;
}

test("the owner lists today's orders, arrivals, the stock of a lot and exceptions", async () => {
  const today = new Date().toISOString().slice(0, 10);
  const orders = await accepted("api", "listOrdersOverClients", `receivedFrom=${today}T00:00:00Z`);
  assert.match(orders, /^clientId +orderId /);
  assert.match(orders, /\nACME +WEB\/1 .*ALLOCATED/);
  assert.match(orders, /\nACME +WEB\/2 .*PARTIALLY_ALLOCATED/);
  assert.match(await accepted("api", "listPurchaseOrders", "clientId=ACME"), /\nACME +DC1 .* PO-1 .*OPEN/);
  assert.match(await accepted("api", "listStockLots", "clientId=ACME", "sku=A"), /\n.*DC1.*GOOD/);
  assert.match(await accepted("api", "listExceptions", "clientId=ACME"), /There is nothing\.|kind/);
});

test("an order is shown with its lines, and with --json as over REST", async () => {
  const shown = await accepted("api", "getOrder", "clientId=ACME", "orderId=WEB/1");
  assert.match(shown, /^orderId +WEB\/1\nclientId +ACME\nstatus +ALLOCATED\n/);
  assert.match(shown, /\nshipToAddress\.city +Leeds\n/);
  assert.match(shown, /\nlines:\nlineNumber +.*\n1 +/);
  const json = JSON.parse(await accepted("api", "getOrder", "clientId=ACME", "orderId=WEB/1", "--json"));
  assert.deepEqual(json, await life.client.order("WEB/1"));
  const explained = await accepted("api", "explainOrder", "clientId=ACME", "orderId=WEB/2");
  assert.match(explained, /\nsummary +Line 1 waits for 12 EA of A at DC1/);
});

test("a write has fields of the body, and the audit log names the user at the terminal", async () => {
  const words = [
    "clientId=ACME",
    "orderId=WEB/1",
    "shipToAddress.city=York",
    "priority=2",
    "extendedAttributes.Note=x",
  ];
  await accepted("api", "updateOrder", ...words);
  const shown = await accepted("api", "getOrder", "clientId=ACME", "orderId=WEB/1");
  assert.match(shown, /\nshipToAddress\.city +York\n/);
  assert.match(shown, /\npriority +2\n/);
  const audit = JSON.parse(await accepted("api", "listAudit", "clientId=ACME", "action=update", "--json"));
  assert.match(audit.items[0].actor, /^cli:/);
});

test("--all reads every page of a list; without it the next page is named", async () => {
  const first = await crossdock("api", "listOrdersOverClients", "clientId=ACME", "limit=1");
  assert.match(first.stderr, /^More follow: add --all, or cursor=\S+\n$/);
  assert.equal(first.stdout.trim().split("\n").length, 2);
  const all = JSON.parse(await accepted("api", "listOrdersOverClients", "clientId=ACME", "limit=1", "--all", "--json"));
  assert.deepEqual([all.items.length, all.nextCursor], [2, null]);
});

test("a token calls the services of its client, and not those of the console", async () => {
  const token = await accessTokenOf(server.url, life.client.credentials.oauth);
  const access = ["--url", server.url, "--token", token];
  assert.match(
    await accepted("api", "getOrder", "orderId=WEB/2", "clientId=ACME", ...access),
    /\nstatus +PARTIALLY_ALLOCATED\n/,
  );
  const { code, stderr } = await crossdock("api", "listUsers", ...access);
  assert.deepEqual([code, /has no operation listUsers/.test(stderr)], [1, true], stderr);
  assert.equal((await crossdock("api", "getOrder", "--url", server.url)).code, 2);
});

test("operations are listed by a word, and shown with their keys", async () => {
  assert.match(
    await accepted("api", "list", "cancel", "work"),
    /\nclientCancelWorkOrder +POST +Client: cancel work order/,
  );
  const shown = await accepted("api", "show", "updateOrder");
  assert.match(shown, /^clientUpdateOrder: .*\nPATCH \/v1\/operatorService\/client\/order\/update\/\{orderId\}\n/);
  assert.match(shown, /\norderId +string, required +/);
  assert.match(shown, /\ndoNotShip +boolean +/);
});

test("the words of a command line are completed: commands, options, operations and their keys", async () => {
  const completed = async (...words: string[]) =>
    (await accepted("completion", "--", ...words)).split("\n").slice(0, -1);
  assert.deepEqual(await completed("fee"), ["feed"]);
  assert.deepEqual(await completed("feed", "s"), ["send", "show"]);
  assert.deepEqual(await completed("feed", "send", "--c"), ["--client"]);
  assert.deepEqual(await completed("api", "listExc"), ["listExceptionCauses", "listExceptionOwners", "listExceptions"]);
  assert.deepEqual(await completed("api", "getOrder", "order"), ["orderId="]);
});

test("a wrong word is refused with its place and a remedy, before anything is sent", async () => {
  const refusals: readonly (readonly [words: readonly string[], reason: RegExp])[] = [
    [["getOrdr"], /no operation getOrdr; did you mean \w*[gG]etOrder\?/],
    [["getOrder", "clientId=ACME"], /orderId is missing: write orderId=VALUE/],
    [["getOrder", "orderId"], /'orderId' is not KEY=VALUE/],
    [["updateOrder", "orderId=WEB/1", "prioritty=2"], /has no prioritty; did you mean priority\? It takes /],
    [["updateOrder", "orderId=WEB/1", "priority=high"], /priority: expected a number, not 'high'/],
    [["updateOrder", "clientId=ACME", "orderId=NONE", "priority=2"], /^crossdock: 404: .*NONE/],
    [["updateOrder", "clientId=ACME", "orderId=WEB/1", "priority=99"], /400: .*\n {2}#\/priority /],
    [["getSession"], /403: The owner of the data directory has no account of the console/],
  ];
  for (const [words, reason] of refusals) {
    const { code, stdout, stderr } = await crossdock("api", ...words);
    assert.deepEqual([code, stdout], [1, ""], stderr);
    assert.match(stderr, reason);
  }
});

test("a command of an earlier release names the operation that it is now, and an option what to read", async () => {
  const { code, stderr } = await crossdock("order", "show", "WEB/1", "--client", "ACME");
  assert.equal(code, 2);
  assert.match(stderr, /'order show' is now 'crossdock api getOrder clientId=ID orderId=ID'/);
  const repair = await crossdock("events", "check", "--repair");
  assert.equal(repair.code, 2);
  assert.match(repair.stderr, /only checks: docs\/operators-handbook\.md says how/);
});

test("the key of the owner opens every operation but those of an account, for a minute, and no key of another opens any", async () => {
  const secretBox = createSecretBox(server.config.secret as string);
  const ofConsole = listPublishedOperations().filter(({ document }) => document === "operator");
  const send = (operation: PublishedOperation, authorization: string) => {
    const request = exampleRequest(operation, "ACME");
    const body = operation.body && { "content-type": "application/json" };
    return fetch(urlOf(server.url, operation, request), {
      method: operation.method,
      headers: { authorization, ...body },
      body: operation.body ? JSON.stringify(request.body) : null,
    });
  };
  for (const operation of ofConsole) {
    const { status } = await send(operation, sealLocalOwner(secretBox, "cli:anna", Date.now()));
    const isOfAccount = /\/(?:session|factor|view|agentToken)\//.test(operation.path);
    const isOpen = /\/session\/(?:methods|create|challenge)$/.test(operation.path);
    if (isOfAccount && !isOpen) assert.equal(status, 403, operation.operationId);
    else assert.ok(![401, 403, 500].includes(status) || isOpen, `${operation.operationId}: ${status}`);
  }
  const [reads] = ofConsole.filter(({ operationId }) => operationId === "listUsers") as [PublishedOperation];
  const other = createSecretBox("another master key, also long enough");
  for (const key of [
    sealLocalOwner(other, "cli:anna", Date.now()),
    sealLocalOwner(secretBox, "cli:anna", Date.now() - 61_000),
    sealLocalOwner(secretBox, "cli:anna", Date.now() + 120_000),
    `Local ${secretBox.seal('{"actor":"cli:anna","until":9e15}', "another purpose")}`,
  ])
    assert.equal((await send(reads, key)).status, 401);
});
