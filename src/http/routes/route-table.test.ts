import assert from "node:assert/strict";
import { test } from "node:test";
import { createRouteTable } from "#/http/routes/route-table.ts";

test("a path has the methods of all patterns that match it", () => {
  const routes = createRouteTable();
  routes.add("GET", "/a/:id");
  routes.add(["POST", "PATCH"], "/a/:id");
  routes.add("DELETE", "/a/fixed");
  routes.add("PUT", "/feeds/:clientId/:type(^(?:CAT|PO)$)");
  routes.add("GET", "/files/*");
  routes.add("GET", "/xsd/:name.xsd");
  assert.deepEqual(routes.methodsOf("/a/1"), ["GET", "PATCH", "POST"]);
  assert.deepEqual(routes.methodsOf("/a/fixed"), ["DELETE", "GET", "PATCH", "POST"]);
  assert.deepEqual(routes.methodsOf("/a/x%2Fy"), ["GET", "PATCH", "POST"]);
  assert.deepEqual(routes.methodsOf("/%61/1"), ["GET", "PATCH", "POST"]);
  assert.deepEqual(routes.methodsOf("/a/1/2"), []);
  assert.deepEqual(routes.methodsOf("/feeds/DEMO/PO"), ["PUT"]);
  assert.deepEqual(routes.methodsOf("/feeds/DEMO/XX"), []);
  assert.deepEqual(routes.methodsOf("/files/a/b"), ["GET"]);
  assert.deepEqual(routes.methodsOf("/xsd/CAT.xsd"), ["GET"]);
  assert.deepEqual(routes.methodsOf("/xsd/CATxxsd"), []);
});
