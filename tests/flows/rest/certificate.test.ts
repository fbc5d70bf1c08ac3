// docs/going-live.md: a brand shows the cases of going live, and the platform judges them by what it saw.
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from "jose";
import { Webhook } from "standardwebhooks";
import { certificateCases } from "#/delivery/certificate/cases.ts";
import { atEnd } from "../../support/app/at-end.ts";
import { signIn } from "../../support/app/console.ts";
import { testServer } from "../../support/app/server.ts";
import { until } from "../../support/app/until.ts";
import { cancelOrder, catalogue, order } from "../../support/builders/documents.ts";
import { startReceiver } from "../../support/http/receiver.ts";
import { webhookCalls } from "../../support/http/webhook-calls.ts";
import { list, post } from "../../support/webhooks/outbound-list.ts";

const server = await testServer();
const brand = await server.onboard("BRAND");
const webhooks = webhookCalls(server.url, brand);
const receiver = await startReceiver();
atEnd(() => receiver.close());

interface Certificate {
  readonly isComplete: boolean;
  readonly signature: string;
  readonly cases: readonly { readonly caseId: string; readonly status: string; readonly evidence: string }[];
}

async function issue(): Promise<Certificate> {
  const { status, body } = await webhooks.call("POST", "/certificate/create", { clientId: "BRAND" });
  assert.equal(status, 200, JSON.stringify(body));
  return body as unknown as Certificate;
}

/** The cases of a status, by their ids. */
const casesOf = ({ cases }: Certificate, status: string) =>
  cases.filter((found) => found.status === status).map(({ caseId }) => caseId);

/** Requests are in the log a second after their answers. */
const passes = (caseId: string) =>
  until(`the case ${caseId} to pass`, async () => casesOf(await issue(), "PASSED").includes(caseId));

test("a client that has sent nothing has open cases, and no certificate before it asks for one", async () => {
  assert.equal((await webhooks.call("GET", "/certificate/get")).status, 404);
  const certificate = await issue();
  assert.equal(certificate.isComplete, false);
  assert.deepEqual(casesOf(certificate, "NOT_NEEDED"), ["SIGNATURE"]);
  assert.equal(casesOf(certificate, "OPEN").length, certificateCases.length - 1);
});

test("the documents and requests of a brand pass one case after the other", async () => {
  await brand.accept("CAT", catalogue("BRAND", ["MUG"]));
  await passes("CATALOGUE");
  await brand.accept("NO", order("BRAND", "1", ["MUG"]), { "idempotency-key": "1" });
  await passes("ORDER");
  await brand.accept("NO", order("BRAND", "1", ["MUG"]), { "idempotency-key": "1" });
  await passes("RESEND");
  await brand.accept("NO", order("BRAND", "1", [{ sku: "MUG", qty: 2 }], { actionType: "UPDATE" }));
  await passes("UPDATE");
  await brand.accept("NO", cancelOrder("BRAND", "1"));
  await passes("CANCEL");
  await brand.send("NO", order("BRAND", "2", ["NEW"]));
  const waiting = (await issue()).cases.find(({ caseId }) => caseId === "UNKNOWN_SKU");
  assert.match(waiting?.evidence ?? "", /order 2 waits for its SKU/);
  await brand.accept("CAT", catalogue("BRAND", ["NEW"]));
  await brand.accept("NO", order("BRAND", "2", ["NEW"]));
  await passes("UNKNOWN_SKU");
});

test("a change by an operator is not the brand's", async () => {
  const other = await server.onboard("QUIET");
  await other.accept("CAT", catalogue("QUIET", ["MUG"]));
  await other.accept("NO", order("QUIET", "Q-1", ["MUG"]));
  const operator = await signIn(server);
  const cancelled = await operator.post("/client/order/cancel/Q-1?clientId=QUIET", { reason: "a test" });
  assert.equal(cancelled.status, 200, JSON.stringify(cancelled.body));
  const judged = webhookCalls(server.url, other);
  const { body } = await judged.call("POST", "/certificate/create", { clientId: "QUIET" });
  assert.ok(casesOf(body as unknown as Certificate, "OPEN").includes("CANCEL"), JSON.stringify(body));
});

test("a program that waits after a 429 passes, one that sends on fails", async () => {
  await brand.set({ rateLimit: "1/s" });
  const documents = Array.from({ length: 40 }, () => brand.send("CAT", catalogue("BRAND", ["MUG"])));
  const answers = await Promise.all(documents);
  const refused = answers.find(({ status }) => status === 429);
  assert.ok(refused, answers.map(({ status }) => status).join());
  await brand.set({ rateLimit: "off" });
  await until("the flood to be seen", async () => casesOf(await issue(), "FAILED").includes("RATE_LIMIT"));
  await server.rows(
    "delete from request_log where client_id = 'BRAND' and status = 429 and request_id <> $1",
    refused.token,
  );
  // As the answer says.
  await sleep(Number(refused.headers.get("retry-after")) * 1000);
  await brand.accept("CAT", catalogue("BRAND", ["MUG"]));
  await passes("RATE_LIMIT");
});

test("a receiver has to refuse a wrong signature, and to take a right one", async () => {
  const { webhookId, signingSecret } = await webhooks.create({ url: receiver.url, facilityCode: "*" });
  const evidenceOf = async () => (await issue()).cases.find(({ caseId }) => caseId === "SIGNATURE");
  assert.deepEqual((await evidenceOf())?.status, "FAILED");
  assert.match((await evidenceOf())?.evidence ?? "", /answered 200 to a wrong signature/);
  receiver.answer = 403;
  assert.match((await evidenceOf())?.evidence ?? "", new RegExp(`webhook ${webhookId} does not take a signed test`));
  const verifier = new Webhook(signingSecret as string);
  receiver.answer = ({ body, headers }) => {
    try {
      verifier.verify(body.toString(), headers as Record<string, string>);
      return 204;
    } catch {
      return 401;
    }
  };
  assert.deepEqual((await evidenceOf())?.status, "PASSED");
});

test("outbound documents are taken, and the certificate is complete, signed and kept", async () => {
  const { items } = await list(brand);
  assert.ok(items.length > 0);
  for (const { messageId } of items) assert.equal((await post(brand, `${messageId}/ack`)).status, 204);
  const issued = await issue();
  assert.deepEqual(
    issued.cases.filter(({ status }) => status !== "PASSED"),
    [],
  );
  assert.equal(issued.isComplete, true);
  const { body } = await webhooks.call("GET", "/certificate/get");
  const { signature, ...content } = body as unknown as Certificate;
  const { signature: first, ...before } = issued;
  assert.deepEqual(content, before);
  const keys = (await (await fetch(`${server.url}/.well-known/jwks.json`)).json()) as JSONWebKeySet;
  for (const token of [first, signature]) {
    const { payload } = await jwtVerify(token, createLocalJWKSet(keys), { typ: "certificate+jwt", subject: "BRAND" });
    const { sub, iat, ...signed } = payload;
    assert.deepEqual(signed, content);
  }
  const asToken = await fetch(`${server.url}/v1/orderService/order/get/1?clientId=BRAND`, {
    headers: { authorization: `Bearer ${signature}` },
  });
  assert.equal(asToken.status, 401, "a certificate is no access token");
  const audits = await server.rows<{ detail: object }>(
    "select detail from audit_log where client_id = 'BRAND' and object_type = 'certificate' order by audit_id desc limit 1",
  );
  assert.deepEqual(audits[0]?.detail, { isComplete: true, open: [] });
});
