import assert from "node:assert/strict";
import { test } from "node:test";
import { ProblemError, unwrap } from "./problem.ts";
import { clientWith, standIn } from "./stand-in.ts";

const service = "/v1/workOrderService/workOrder";

test("a refusal is thrown with the problem of the service, or with the answer of an intermediary", async () => {
  const { workOrders } = clientWith();
  const problem = {
    type: "/problems/conflict",
    title: "No",
    status: 409,
    detail: "Too late.",
    correlationToken: "T",
    errors: [{ pointer: "#/qty", message: "is wrong" }],
  };
  const ask = () => unwrap(workOrders.GET(`${service}/list`));
  standIn.scripts = [[409, { "content-type": "application/problem+json" }, { ...problem, instance: "/v1/x" }]];
  await assert.rejects(ask, (refusal) => {
    assert.ok(refusal instanceof ProblemError);
    const { type, title, status, detail, correlationToken, errors, code, message } = refusal;
    assert.deepEqual({ type, title, status, detail, correlationToken, errors }, problem);
    assert.deepEqual([code, message], ["conflict", "409 No: Too late. (correlation token T)"]);
    return true;
  });
  standIn.scripts = [[502, { "content-type": "text/html", "x-correlation-token": "P" }, `<html>${"x".repeat(1_000)}`]];
  await assert.rejects(ask, (refusal) => {
    assert.ok(refusal instanceof ProblemError);
    const { type, status, title, correlationToken, detail } = refusal;
    assert.deepEqual([type, status, title, correlationToken], ["about:blank", 502, "Bad Gateway", "P"]);
    assert.ok(detail.startsWith("<html>x") && detail.length === 500);
    return true;
  });
});
