// An agent's proposal in the console: what it would change, its approval and its rejection.
import assert from "node:assert/strict";
import { browserWorld } from "../support/browser/chromium.ts";
import { catalogue, order } from "../support/builders/documents.ts";

const world = await browserWorld();

/** As `/mcp` stores it. */
const propose = (orderId: string) =>
  world.server.rows(
    `insert into agent_proposal (client_id, proposal_id, tool, object_type, object_id, method, path, body, reason, agent, credential_id, dry_run, status, created_at, expires_at)
      values ('ACME', overlay(gen_random_uuid()::text placing '7' from 15 for 1)::uuid, 'hold_order', 'order', $1, 'POST', '/order/hold/' || $1, '{"reason": "Address in doubt"}',
        'The customer wrote that the street is wrong.', 'order-desk 1.0', 'none',
        '[{"field": "status", "before": "BACKORDERED", "after": "ON_HOLD"}, {"field": "holds.0.reason", "before": null, "after": "Address in doubt"}]',
        'PENDING', now(), now() + interval '1 day')`,
    orderId,
  );

world.test("a person reads what an agent proposes, approves it or rejects it", async (open) => {
  const acme = await world.server.onboard("ACME");
  await acme.accept("CAT", catalogue("ACME", ["MUG"]));
  for (const orderId of ["O-1", "O-2"]) {
    await acme.accept("NO", order("ACME", orderId, ["MUG"], { distributionCentre: "DC1" }));
    await propose(orderId);
  }
  const operator = await open("operator");
  const { page } = operator;
  await operator.open("/proposals?client=ACME");
  await page.getByRole("link", { name: "Hold order O-1" }).waitFor();
  await operator.settled();
  await operator.checkBoth();
  await operator.shoot("proposals");
  await operator.shoot("proposals", { width: 390, height: 844 });

  await page.getByRole("link", { name: "Hold order O-1" }).click();
  await page.getByRole("heading", { level: 1, name: "Proposal Hold order O-1" }).waitFor();
  const main = page.getByRole("main");
  await main.getByText("The customer wrote that the street is wrong.").waitFor();
  await main.getByRole("row").filter({ hasText: "Holds, 1, reason" }).getByText("Address in doubt").waitFor();
  await operator.checkBoth();
  await operator.shoot("proposal");
  await operator.shoot("proposal", { width: 390, height: 844 });
  await main.getByRole("button", { name: "Approve" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Approve" }).click();
  await page.getByText("Hold order O-1: done.").waitFor();
  await main.getByText("Executed", { exact: true }).waitFor();
  const held = await operator.user?.get("/client/order/get/O-1?clientId=ACME");
  assert.equal(held?.body.status, "ON_HOLD");

  await operator.open("/proposals?client=ACME&status=PENDING");
  await page.getByRole("link", { name: "Hold order O-2" }).click();
  await main.getByRole("button", { name: "Reject" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "Reason" }).fill("The address is right.");
  await dialog.getByRole("button", { name: "Reject" }).click();
  await page.getByText("Hold order O-2: rejected.").waitFor();
  await main.getByText("The address is right.").waitFor();
});

world.test("a user issues a token for an agent, sees it once, and revokes it", async (open) => {
  const operator = await open("operator");
  const { page } = operator;
  await operator.open("/overview");
  await page.getByRole("button", { name: operator.user?.userName ?? "" }).click();
  await page.getByRole("menuitem", { name: "Tokens for agents" }).click();
  await page.getByText("No agent acts for you.").waitFor();
  await page.getByRole("button", { name: "Issue token" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "Agent" }).fill("Order desk");
  await dialog.getByRole("combobox", { name: "Client" }).click();
  await page.getByRole("option", { name: /ACME/ }).click();
  await dialog.getByRole("switch", { name: "May propose changes" }).click();
  await dialog.getByRole("button", { name: "Issue token" }).click();
  const token = page.getByText(/^xda_/);
  await token.waitFor();
  const main = page.getByRole("main");
  await main.getByText("read and propose").waitFor();
  await operator.settled();
  await operator.checkBoth();
  await operator.shoot("agent-tokens");
  await operator.shoot("agent-tokens", { width: 390, height: 844 });
  assert.equal((await operator.user?.get("/agentToken/list"))?.body.items[0].mayPropose, true);
  await main.getByRole("button", { name: "Revoke Order desk" }).click();
  await dialog.getByRole("button", { name: "Revoke" }).click();
  await main.getByText("No agent acts for you.").waitFor();
});

world.test("a viewer reads proposals and decides none", async (open) => {
  const viewer = await open("viewer");
  await viewer.open("/proposals?client=ACME");
  await viewer.page.getByRole("link", { name: "Hold order O-1" }).click();
  await viewer.page.getByRole("heading", { level: 1, name: "Proposal Hold order O-1" }).waitFor();
  assert.equal(await viewer.page.getByRole("button", { name: "Approve" }).count(), 0);
});
