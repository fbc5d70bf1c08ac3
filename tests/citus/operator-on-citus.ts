// Reads of operators on Citus: every read of the console, for an operator with all clients and facilities, one with a
// client, and one with a facility; and `crossdock doctor` beside the running server.
import assert from "node:assert/strict";
import { test } from "node:test";
import { commandLine } from "../support/app/cli.ts";
import { type ConsoleUser, signIn } from "../support/app/console.ts";
import { testServer } from "../support/app/server.ts";
import { until } from "../support/app/until.ts";
import { order } from "../support/builders/documents.ts";
import { exceptionsOf } from "../support/builders/exceptions.ts";
import { lifeOf } from "../support/builders/life.ts";
import {
  type ExampleRequest,
  exampleRequest,
  listPublishedOperations,
  type PublishedOperation,
  urlOf,
} from "../support/http/published-operations.ts";
import { warehouseOf } from "../support/warehouse/warehouse-port.ts";

const server = await testServer();
const dc1 = await warehouseOf(server);
for (const clientId of ["ALPHA", "BETA"]) {
  const life = await lifeOf(server, dc1, clientId);
  await life.stock([{ sku: "B", qty: 5 }]);
  await life.place(`${clientId}-1`, [{ sku: "A", qty: 1 }]);
  await life.place(`${clientId}-2`, [{ sku: "A", qty: 1 }], { distributionCentre: "DC2" });
  await life.place(`${clientId}-3`, [{ sku: "B", qty: 1 }]);
  await life.client.refuse("NO", order(clientId, `${clientId}-4`, ["NEVER"]), /^\[UNKNOWN_SKU\]/);
}
const everywhere = await signIn(server, "operator");
const ofAlpha = await signIn(server, "operator", { clientIds: ["ALPHA"] });
const atDc1 = await signIn(server, "operator", { facilityCodes: ["DC1"] });

async function ordersOf(user: ConsoleUser, query = ""): Promise<string[]> {
  const { status, body } = await user.get(`/order/list?${query}`);
  assert.equal(status, 200, JSON.stringify(body));
  return body.items.map(({ orderId }: { orderId: string }) => orderId).toSorted();
}

async function documentsOf(user: ConsoleUser, query: string): Promise<string[]> {
  const { status, body } = await user.get(`/feed/list?${query}`);
  assert.equal(status, 200, JSON.stringify(body));
  return body.items.map(({ objectId }: { objectId: string }) => objectId).toSorted();
}

test("the lists of exceptions have the rows of a user's clients and facilities", async () => {
  const backordered = async (user: ConsoleUser, query = "type=ORDER_BACKORDERED") =>
    (await exceptionsOf(user).named(query)).map((name) => name.replace(/^ORDER_BACKORDERED /, "")).toSorted();
  assert.deepEqual(await backordered(everywhere), ["ALPHA-1", "ALPHA-2", "BETA-1", "BETA-2"]);
  assert.deepEqual(await backordered(ofAlpha), ["ALPHA-1", "ALPHA-2"]);
  assert.deepEqual(await backordered(atDc1), ["ALPHA-1", "BETA-1"]);
  assert.deepEqual(await backordered(atDc1, "type=ORDER_BACKORDERED&clientId=BETA"), ["BETA-1"]);
});

test("the lists of orders have the rows of a user's clients and facilities", async () => {
  const all = ["ALPHA", "BETA"].flatMap((clientId) => [1, 2, 3].map((number) => `${clientId}-${number}`));
  assert.deepEqual(await ordersOf(everywhere), all);
  assert.deepEqual(await ordersOf(everywhere, "status=ALLOCATED"), ["ALPHA-3", "BETA-3"]);
  assert.deepEqual(await ordersOf(ofAlpha), ["ALPHA-1", "ALPHA-2", "ALPHA-3"]);
  assert.deepEqual(await ordersOf(atDc1), ["ALPHA-1", "ALPHA-3", "BETA-1", "BETA-3"]);
  assert.deepEqual(await ordersOf(atDc1, "clientId=BETA&status=BACKORDERED"), ["BETA-1"]);
});

test("the lists of documents have the rows of a user's clients, and none for a user who is limited to facilities", async () => {
  assert.deepEqual(await documentsOf(everywhere, "state=REJECTED"), ["ALPHA-4", "BETA-4"]);
  assert.deepEqual(await documentsOf(ofAlpha, "state=REJECTED"), ["ALPHA-4"]);
  assert.equal((await documentsOf(everywhere, "type=NO&outcome=ACCEPTED")).length, 6);
  assert.equal((await atDc1.get("/feed/list?state=REJECTED")).status, 403);
});

/** Of ALPHA, where the operation requires a client. */
function requestOf(operation: PublishedOperation, clientId: string | undefined): ExampleRequest {
  const request = exampleRequest(operation, clientId);
  const forAlpha = (part: ExampleRequest["query"]) =>
    part.clientId === undefined ? part : { ...part, clientId: "ALPHA" };
  return { ...request, path: forAlpha(request.path), query: forAlpha(request.query) };
}

const reads = listPublishedOperations().filter(
  ({ document, method, leastRole }) => document === "operator" && method === "GET" && leastRole !== undefined,
);

for (const [name, user, closed] of [
  ["all clients", everywhere, ["role-forbidden"]],
  ["one client", ofAlpha, ["role-forbidden", "scope-forbidden"]],
  ["one facility", atDc1, ["role-forbidden", "scope-forbidden"]],
] as const) {
  test(`every read of the console is answered for an operator with ${name}`, async () => {
    assert.ok(reads.length >= 50, `only ${reads.length}`);
    let answered = 0;
    for (const operation of reads) {
      for (const clientId of [undefined, "ALPHA"]) {
        const url = urlOf(server.url, operation, requestOf(operation, clientId));
        const response = await fetch(url, { headers: { cookie: user.cookie } });
        const text = await response.text();
        const shown = `${operation.operationId} of ${clientId ?? "all"} answers ${response.status}: ${text.slice(0, 500)}`;
        assert.ok(operation.statuses.includes(String(response.status)), shown);
        assert.ok(response.status < 500, shown);
        if (response.status === 200) answered++;
        if (response.status === 403) {
          const { type } = JSON.parse(text) as { type: string };
          assert.ok(
            closed.some((code) => type === `/problems/${code}`),
            shown,
          );
        }
      }
    }
    assert.ok(answered >= 40, `only ${answered} have an answer`);
  });
}

interface Check {
  readonly name: string;
  readonly status: "ok" | "warn" | "fail";
  readonly text: string;
}

async function checksOf(): Promise<readonly Check[]> {
  const { stdout, stderr } = await commandLine(server)(["doctor", "--json"], {
    PORT: new URL(server.url).port,
    CROSSDOCK_BASE_URL: server.url,
    CROSSDOCK_SFTP_PORT: "off",
  });
  assert.notEqual(stdout, "", stderr);
  return (JSON.parse(stdout) as { checks: readonly Check[] }).checks;
}

const megabyte = 1024 ** 2;

test("the doctor answers each check on Citus, and counts the bytes of all nodes", async () => {
  // On a busy machine a check takes longer than its two seconds.
  const checks = await until("checks in time", async () => {
    const found = await checksOf();
    return found.some(({ text }) => text.includes("took longer than")) ? undefined : found;
  });
  const unanswered = checks.filter(({ text }) => text.includes("could not be checked"));
  assert.deepEqual(unanswered, []);
  // The nodes of the tests run without fsync.
  const failed = checks.filter(({ name, status }) => status === "fail" && name !== "durability");
  assert.deepEqual(failed, []);
  const growth = checks.find(({ name }) => name === "growth")?.text ?? "";
  const [, number, unit, nodes] = /^the database has ([\d.]+) (\w+) on (\d+) nodes; /.exec(growth) ?? [];
  const [row] = await server.rows<{ nodes: number; coordinator: number }>(
    `select (select count(*)::int from pg_dist_node where noderole = 'primary' and isactive) as nodes,
       pg_database_size(current_database())::float8 as coordinator`,
  );
  assert.equal(Number(nodes), row?.nodes, growth);
  const bytes = Number(number) * (unit === "GiB" ? 1024 * megabyte : megabyte);
  assert.ok(bytes > 1.5 * (row?.coordinator ?? Number.NaN), growth);
  const grown = Number(/grow by ([\d.]+) \w+ a day$/.exec(growth)?.[1]);
  assert.ok(grown > 0, growth);
  assert.match(checks.find(({ name }) => name === "pools")?.text ?? "", /^1 running: /);
});
