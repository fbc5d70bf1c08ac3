// Saved views of the console's lists: a user's own, and what users share.
import assert from "node:assert/strict";
import { test } from "node:test";
import { signIn } from "../../support/app/console.ts";
import { testServer } from "../../support/app/server.ts";

const server = await testServer();
const anna = await signIn(server, "operator");
const bob = await signIn(server, "operator");
const vera = await signIn(server, "viewer");
const root = await signIn(server, "admin");

const late = { screen: "orders", name: "Late", query: "isAtRisk=true&sort=despatchBy" };
const names = async (user = anna, screen = "orders") => {
  const { status, body } = await user.get(`/view/list?screen=${screen}`);
  assert.equal(status, 200);
  return body.items.map((item: { name: string; isOwn: boolean }) => `${item.name}${item.isOwn ? "" : " of others"}`);
};

test("a view is its user's own until it is shared, and one of its name takes its place", async () => {
  const saved = await anna.post("/view/save", late);
  assert.equal(saved.status, 200, JSON.stringify(saved.body));
  const { viewId, updatedAt, ...view } = saved.body;
  assert.ok(viewId && updatedAt);
  assert.deepEqual(view, { ...late, isShared: false, isOwn: true, userName: anna.userName });
  assert.deepEqual([await names(), await names(bob), await names(anna, "feeds")], [["Late"], [], []]);
  const again = await anna.post("/view/save", { ...late, name: "late", query: "", isShared: true });
  assert.deepEqual([again.body.viewId, again.body.name], [viewId, "late"]);
  assert.deepEqual(
    [await names(), await names(bob), await names(vera)],
    [["late"], ["late of others"], ["late of others"]],
  );
});

test("the Idempotency-Key of one user is not another's, and the store does not name the user", async () => {
  const key = { "idempotency-key": "the same key" };
  const view = { ...late, screen: "returns" };
  const first = await anna.post("/view/save", view, key);
  const second = await bob.post("/view/save", view, key);
  assert.deepEqual([first.body.userName, second.body.userName], [anna.userName, bob.userName]);
  assert.equal(second.headers.get("idempotent-replayed"), null);
  assert.equal((await bob.post("/view/save", { ...view, query: "q=1" }, key)).status, 409);
  const repeated = await anna.post("/view/save", view, key);
  assert.deepEqual([repeated.body, repeated.headers.get("idempotent-replayed")], [first.body, "true"]);
  const kept = await server.rows<{ idempotency_key: string }>("select idempotency_key from rest_idempotency");
  assert.equal(kept.length, 2);
  for (const { idempotency_key: stored } of kept) {
    assert.match(stored, /^user [\w-]{43}$/);
    assert.ok(!stored.includes(anna.userName) && !stored.includes(bob.userName));
  }
});

test("viewers save private views, and share none", async () => {
  assert.equal((await vera.post("/view/save", { ...late, name: "Mine" })).status, 200);
  assert.equal((await vera.post("/view/save", { ...late, name: "Mine", isShared: true })).status, 409);
  assert.deepEqual((await names(vera)).toSorted(), ["Mine", "late of others"]);
});

test("one deletes one's own, an admin what is shared, and no one what is not there", async () => {
  const { body: shared } = await anna.post("/view/save", { ...late, name: "Shared", isShared: true });
  const { body: view } = await anna.post("/view/save", { ...late, name: "Own" });
  assert.equal((await bob.delete(`/view/delete/${shared.viewId}`)).status, 404);
  assert.equal((await root.delete(`/view/delete/${view.viewId}`)).status, 404);
  assert.equal((await root.delete(`/view/delete/${shared.viewId}`)).status, 204);
  assert.equal((await anna.delete(`/view/delete/${view.viewId}`)).status, 204);
  assert.equal((await anna.delete(`/view/delete/${view.viewId}`)).status, 404);
});

test("the audit log has who saved and deleted a view, and not its name, which may be a person's", async () => {
  const { body: view } = await anna.post("/view/save", { ...late, name: "Jane Doe" });
  assert.equal((await anna.delete(`/view/delete/${view.viewId}`)).status, 204);
  const entries = await server.rows<{ action: string; detail: object }>(
    "select action, detail from audit_log where object_type = 'view' and object_id = $1 order by audit_id",
    view.viewId,
  );
  assert.deepEqual(
    entries.map(({ action, detail }) => ({ action, detail })),
    [
      { action: "save", detail: { screen: "orders", isShared: false } },
      { action: "delete", detail: { screen: "orders" } },
    ],
  );
});

test("a user has a bounded number of views of a screen", async () => {
  for (let i = 1; i <= 50; i++) {
    const { status } = await bob.post("/view/save", { screen: "feeds", name: `View ${i}`, query: "" });
    assert.equal(status, 200);
  }
  assert.equal((await bob.post("/view/save", { screen: "feeds", name: "View 51", query: "" })).status, 409);
  assert.equal((await bob.post("/view/save", { screen: "feeds", name: "View 50", query: "a=1" })).status, 200);
  // Made-up screens have no further room.
  await server.rows(
    `insert into console_view (view_id, screen, user_name, name, query, is_shared, created_at, updated_at)
      select gen_random_uuid(), 'made-up-' || chr(97 + i / 45), $1, 'View ' || i, '', false, now(), now()
      from generate_series(1, 448) i returning 1`,
    bob.userName,
  );
  assert.equal((await bob.post("/view/save", { screen: "orders", name: "Last", query: "" })).status, 200);
  const beyond = await bob.post("/view/save", { screen: "stock", name: "Beyond", query: "" });
  assert.deepEqual([beyond.status, beyond.body.detail], [409, "The user has 500 views already: delete one first."]);
});
