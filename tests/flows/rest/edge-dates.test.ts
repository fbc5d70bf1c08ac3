// Dates and moments at the edges of what PostgreSQL, JavaScript and ISO 8601 can represent, in every parameter of every
// read operation: an answer or a refusal, never an error of the server.
import assert from "node:assert/strict";
import { test } from "node:test";
import { signIn } from "../../support/app/console.ts";
import { accessTokenOf, testServer } from "../../support/app/server.ts";
import {
  exampleRequest,
  listPublishedOperations,
  type PublishedOperation,
  urlOf,
} from "../../support/http/published-operations.ts";
import { warehouseOf } from "../../support/warehouse/warehouse-port.ts";

const server = await testServer({ CROSSDOCK_RATE_LIMIT: "off" });
const { credentials } = await server.onboard("DEMO");
const token = await accessTokenOf(server.url, credentials.oauth);
const { token: portToken } = await warehouseOf(server);
const admin = await signIn(server, "admin");

const edges: Readonly<Record<string, readonly string[]>> = {
  date: ["0001-01-01", "1000-01-01", "1582-10-10", "9998-12-31", "9999-12-31"],
  "date-time": [
    "1000-01-01",
    "0001-01-01T00:00:00Z",
    "1000-01-01T00:00:00+18:00",
    "1000-01-01T00:00:00Z",
    "1969-12-31T23:59:59.999Z",
    "9998-12-31T23:59:59Z",
    "9998-12-31T23:59:59-18:00",
  ],
};

interface Edge {
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
}

/** Each parameter alone, and those of the query together: from and to of one day. */
function edgesOf({ parameters }: PublishedOperation): Edge[] {
  const dated = parameters.filter(({ schema }) => edges[schema.format ?? ""] !== undefined);
  const alone = dated.flatMap(({ name, in: place, schema }) =>
    (edges[schema.format ?? ""] ?? []).map((value) => {
      return place === "path" ? { path: { [name]: value }, query: {} } : { path: {}, query: { [name]: value } };
    }),
  );
  const ofQuery = dated.filter(({ in: place }) => place === "query");
  const together = (edges[ofQuery[0]?.schema.format ?? ""] ?? []).map((value) => {
    return { path: {}, query: Object.fromEntries(ofQuery.map(({ name }) => [name, value])) };
  });
  return ofQuery.length > 1 ? [...alone, ...together] : alone;
}

const headersOf: Readonly<Record<string, Record<string, string>>> = {
  operator: { cookie: admin.cookie },
  warehouse: { authorization: `Bearer ${portToken}` },
};

test("the edges of dates are answered or refused", async (context) => {
  const faults: string[] = [];
  let sent = 0;
  for (const operation of listPublishedOperations()) {
    if (operation.method !== "GET" || operation.isMounted) continue;
    const { document } = operation;
    const { path, query, body } = exampleRequest(operation, document === "warehouse" ? undefined : "DEMO");
    const headers = headersOf[document] ?? { authorization: `Bearer ${token}` };
    await Promise.all(
      edgesOf(operation).map(async (edge) => {
        const filled = { path: { ...path, ...edge.path }, query: { ...query, ...edge.query }, body };
        const url = urlOf(server.url, operation, filled);
        const response = await fetch(url, { headers });
        const text = await response.text();
        sent++;
        if (response.status >= 500) faults.push(`${response.status} ${url.slice(server.url.length)}: ${text}`);
      }),
    );
  }
  context.diagnostic(`${sent} requests`);
  assert.ok(sent > 300);
  assert.deepEqual(faults, []);
});
