// Every answer of the suite is validated against the document's schema. This test proves that a wrong one is
// detected.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { type Answered, createAnswerValidator, readPublished, watched } from "../support/http/published-answer.ts";

interface WithExamples {
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, Examples>> }>>;
}

interface Examples {
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

const documents = readPublished();
const judge = createAnswerValidator(documents);
const token = "019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b11";

/** The example answers of a document, as they appear on the wire. */
function shownAnswers(): Answered[] {
  return documents.flatMap(({ paths }) =>
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods as unknown as Readonly<Record<string, WithExamples>>).flatMap(([method, operation]) =>
        Object.entries(operation.responses).flatMap(([status, { content = {} }]) =>
          Object.entries(content).flatMap(([type, { example, examples }]) => {
            const values = examples ? Object.values(examples).map(({ value }) => value) : [example];
            return values.map((value) => shown({ method, path, status: Number(status), type, value }));
          }),
        ),
      ),
    ),
  );
}

interface Shown {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly type: string;
  readonly value: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

function shown({ method, path, status, type, value, headers }: Shown): Answered {
  const operation = documents.flatMap(({ paths }) => paths[path]?.[method.toLowerCase()] ?? [])[0];
  const names = Object.keys(operation?.responses[status]?.headers ?? {});
  return {
    method,
    status,
    path: path.replace(/\{\w+\}/g, "X-1"),
    headers: new Headers({
      ...Object.fromEntries(names.map((name) => [name, token])),
      "content-type": type,
      ...headers,
    }),
    body: value === undefined ? "" : JSON.stringify(value),
  };
}

const getWorkOrder = shownAnswers().find(
  ({ path, status }) => path === "/v1/workOrderService/workOrder/get/X-1" && status === 200,
) as Answered;
const record = JSON.parse(getWorkOrder.body) as Record<string, unknown>;
const answered = (body: unknown): Answered => ({ ...getWorkOrder, body: JSON.stringify(body) });

test("every answer that a document shows by its examples is as documented", () => {
  const answers = shownAnswers();
  assert.ok(answers.length > 100);
  for (const answer of answers) assert.deepEqual(judge(answer), [], `${answer.method} ${answer.path} ${answer.status}`);
});

test("a field too many, one too few, one of another type, and null where it may not be are noticed", () => {
  assert.match(judge(answered({ ...record, colour: "red" })).join(), /colour|additional/);
  const { qtyCompleted: _qtyCompleted, ...rest } = record;
  assert.match(judge(answered(rest)).join(), /required/);
  assert.match(judge(answered({ ...record, qtyOrdered: "2" })).join(), /qtyOrdered must be number/);
  assert.match(judge(answered({ ...record, qtyOrdered: null })).join(), /qtyOrdered/);
  assert.match(judge(answered({ ...record, status: "LOST" })).join(), /status/);
  assert.match(judge(answered({ ...record, receivedAt: "yesterday" })).join(), /receivedAt/);
  assert.deepEqual(judge(answered({ ...record, notes: null })), []);
  assert.deepEqual(judge({ ...getWorkOrder, body: "{" }), ["the body is not JSON"]);
});

test("a status, a content type and a path that no document has are noticed, and where to correct it is said", () => {
  assert.match(
    judge({ ...getWorkOrder, status: 418 }).join(),
    /status 418 is not documented .*CROSSDOCK_TEST_UPDATE=1/,
  );
  const asText = new Headers(getWorkOrder.headers);
  asText.set("content-type", "text/plain");
  assert.match(judge({ ...getWorkOrder, headers: asText }).join(), /text\/plain is not documented/);
  const elsewhere = { ...getWorkOrder, path: "/v1/workOrderService/workOrder/paint" };
  assert.match(judge(elsewhere).join(), /no document has the operation .*CROSSDOCK_TEST_UPDATE=1/);
  assert.match(judge({ ...getWorkOrder, method: "DELETE" }).join(), /no document has the operation DELETE/);
});

test("a 404 where no operation is must be a problem, and is one", () => {
  const nowhere = { ...getWorkOrder, path: "/v1/workOrderService/nothing", status: 404 };
  assert.match(judge(nowhere).join(), /not a problem/);
  const problem = shownAnswers().find(({ status }) => status === 404) as Answered;
  assert.deepEqual(judge({ ...problem, path: nowhere.path }), []);
  assert.match(judge({ ...problem, path: nowhere.path, body: '{"status":404}' }).join(), /required/);
});

test("header lines are held to the document, too", () => {
  const without = (name: string) => {
    const headers = new Headers(getWorkOrder.headers);
    headers.delete(name);
    return judge({ ...getWorkOrder, headers }).join();
  };
  assert.match(without("ETag"), /ETag is documented for 200 and missing/);
  assert.match(without("X-Correlation-Token"), /X-Correlation-Token is missing/);
  const located = new Headers(getWorkOrder.headers);
  located.set("Location", "/v1");
  assert.match(judge({ ...getWorkOrder, headers: located }).join(), /Location is not documented for 200/);
});

test("a fetch of a wrong answer throws and is reported; other paths pass", async () => {
  const server = createServer((_request, response) => response.setHeader("content-type", "application/json").end("{}"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const faults: string[] = [];
  const fetched = watched(
    fetch,
    judge,
    () => {},
    (fault) => faults.push(fault),
  );
  try {
    await assert.rejects(
      fetched(`http://127.0.0.1:${port}/v1/workOrderService/workOrder/get/WO-1?clientId=DEMO`),
      /GET \/v1\/workOrderService\/workOrder\/get\/WO-1 answered 200, which is not as documented: .*X-Correlation-Token/,
    );
    assert.equal(faults.length, 1);
    assert.deepEqual(await (await fetched(`http://127.0.0.1:${port}/healthz`)).json(), {});
    assert.equal(faults.length, 1);
  } finally {
    server.close();
  }
});
