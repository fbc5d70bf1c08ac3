// Exceptions: an operator sees, takes, resolves or dismisses each kind.
import assert from "node:assert/strict";
import { until } from "../support/app/until.ts";
import { browserWorld, type ConsolePage } from "../support/browser/chromium.ts";

const world = await browserWorld({ CROSSDOCK_WAREHOUSE_SIM: "false" });

interface Summary {
  readonly types: readonly { readonly type: string; readonly count: number }[];
}

const labels: Readonly<Record<string, string>> = {
  FEED_REJECTED: "Feed rejected",
  FEED_PARKED: "Feed parked",
  FEED_OVERDUE: "Feed overdue",
  FEED_FAILED: "Feed failed",
  ORDER_HELD: "Order held",
  ORDER_BACKORDERED: "Backorder",
  ORDER_AT_RISK: "Order at risk",
  ORDER_LATE: "Order late",
  SHORT_PICK: "Short pick",
  COUNT_DIFFERENCE: "Count difference",
  CANCEL_UNANSWERED: "Cancel unanswered",
  RECEIPT_DISCREPANCY: "Receipt discrepancy",
  RECEIPT_UNIDENTIFIED: "Unidentified goods",
  BLIND_RETURN: "Blind return",
  REPORT_REFUSED: "Report refused",
  CARRIER_EXCEPTION: "Carrier exception",
  DELIVERY_FAILED: "Delivery given up",
  SUBSCRIPTION_UNREADABLE: "Webhook unreadable",
  SUBSCRIPTION_DISABLED: "Webhook disabled",
  OUTBOUND_FAILED: "Outbound given up",
  STOCK_CHECK: "Stock check",
  EVENT_CHECK: "Event check",
  OUTBOUND_NOT_TAKEN: "Outbound not collected",
  WAREHOUSE_SILENT: "Warehouse silent",
};

const rowsOf = (visitor: ConsolePage) =>
  visitor.page.getByRole("region", { name: "Exceptions" }).locator("tbody tr[aria-rowindex]");

/** The answer of the service to the same user. */
async function answerOf(visitor: ConsolePage, path: string) {
  assert.ok(visitor.user);
  return (await visitor.user.get(path)).body;
}

async function openList(visitor: ConsolePage, query: string): Promise<void> {
  await visitor.open(`/exceptions?rows=each&${query}`);
  await rowsOf(visitor).first().waitFor();
}

world.test("every kind of the demo is seen, with its age and its next step", async (open) => {
  const operator = await open("operator");
  const wanted = [
    ...["FEED_REJECTED", "ORDER_HELD", "ORDER_BACKORDERED", "CARRIER_EXCEPTION", "REPORT_REFUSED", "SHORT_PICK"],
  ];
  // Jobs that run after the start create some of them.
  const there = await until(`the demo's ${wanted.join(", ")}`, async () => {
    const body: Summary = await answerOf(operator, "/exception/summary");
    const found = body.types.filter(({ count }) => count > 0);
    return wanted.every((type) => found.some((entry) => entry.type === type)) ? found : undefined;
  });
  await openList(operator, "");
  await operator.checkBoth();
  await operator.shoot("exceptions");
  await operator.shoot("exceptions", { scheme: "dark" });
  await operator.shoot("exceptions", { width: 1024, height: 768 });
  for (const { type } of there) {
    const label = labels[type] as string;
    const chip = operator.page.getByRole("list", { name: "Types" }).getByRole("button", { name: label });
    await chip.click();
    // The list may still show an exception of the previous type.
    await chip.and(operator.page.locator('[aria-pressed="true"]')).waitFor();
    await operator.settled();
    const row = rowsOf(operator).first();
    await row.getByText(label, { exact: true }).waitFor();
    await chip.click();
    await chip.and(operator.page.locator('[aria-pressed="false"]')).waitFor();
  }
});

world.test("one cause is one row with its count and one cure, and leads to its exceptions", async (open) => {
  const operator = await open("operator");
  const clientId = "LUMEN";
  const before: { items: { objectId: string }[] } = await until("held orders of LUMEN", async () => {
    const body = await answerOf(operator, `/exception/list?type=ORDER_HELD&clientId=${clientId}`);
    return body.items.length > 1 ? body : undefined;
  });
  for (const { objectId } of before.items) {
    const hold = { type: "HAZMAT_REVIEW", reason: "Lithium cells" };
    await operator.user?.post(`/order/setHold/${objectId}?clientId=${clientId}`, hold);
  }
  await operator.open(`/exceptions?type=ORDER_HELD&client=${clientId}`);
  const row = rowsOf(operator)
    .filter({ hasText: `orders of ${clientId} are held` })
    .first();
  await row.waitFor();
  await operator.checkBoth();
  for (const scheme of ["light", "dark"] as const) {
    await operator.shoot("exceptions-by-cause", { scheme });
    await operator.shoot("exceptions-by-cause", { scheme, width: 390, height: 844 });
  }
  const count = Number(await row.getByRole("link", { name: /^Show the/ }).innerText());
  await row.getByRole("button", { name: `Release order × ${count}` }).click();
  const question = operator.page.getByRole("dialog", { name: `Release order: ${count} exceptions of ${clientId}` });
  await question.getByText(/a refusal does not stop the others/).waitFor();
  await question.getByRole("button", { name: "Cancel", exact: true }).click();
  await row.getByRole("link", { name: /^Show the/ }).click();
  await operator.page.getByRole("button", { name: `Cause ${clientId}` }).waitFor();
  await until("its exceptions, one by one", async () => (await rowsOf(operator).count()) === count);
  await operator.page.getByRole("button", { name: "By cause" }).click();
  await operator.page.waitForURL((url) => !url.searchParams.has("cause"));
});

world.test("a list that has more rows than are loaded says how many match", async (open) => {
  const operator = await open("operator");
  const total = async (query: string): Promise<number> =>
    (await answerOf(operator, `/exception/summary?${query}`)).total;
  assert.ok((await total("")) > 100);
  await openList(operator, "");
  const status = operator.page.getByText(/^100 of \d+ rows$/);
  const shown = Number((await status.innerText()).split(" ")[2]);
  assert.ok(Math.abs(shown - (await total(""))) <= 3, `${shown} rows`);
  await openList(operator, "owner=none&type=ORDER_HELD,ORDER_BACKORDERED");
  await operator.page.getByText(/^\d+ rows$/).waitFor();
  await operator.open("/orders");
  const { count, isMore } = await answerOf(operator, "/order/count");
  await operator.page.getByText(`100 of ${count.toLocaleString("en-GB")}${isMore ? "+" : ""} rows`).waitFor();
  await operator.check();
});

world.test("the chips count what the other filters leave", async (open) => {
  const operator = await open("operator");
  const held = await until("an order to be held", async () => {
    const found: { items: { objectId: string }[] } = await answerOf(
      operator,
      "/exception/list?type=ORDER_HELD&limit=1",
    );
    return found.items[0]?.objectId;
  });
  const { types }: Summary = await answerOf(operator, `/exception/summary?text=${held}`);
  const left = types.filter(({ count }) => count > 0);
  assert(left.some(({ type }) => type === "ORDER_HELD"));
  await openList(operator, `text=${held}`);
  const chips = operator.page.getByRole("list", { name: "Types" }).getByRole("button");
  await until("the chips of these types", async () => (await chips.count()) === left.length);
  for (const { type, count } of left)
    await chips.filter({ hasText: `${labels[type]}${count.toLocaleString("en-GB")}` }).waitFor();
});

world.test("an exception is opened, taken, annotated and put aside", async (open) => {
  const operator = await open("operator");
  await openList(operator, "type=ORDER_HELD&sort=since");
  const age = operator.page.getByRole("columnheader", { name: "Age" });
  assert.equal(await age.getAttribute("aria-sort"), "descending", "what came first is the oldest");
  const row = rowsOf(operator).first();
  const objectId = (await row.locator("a").first().innerText()).trim();
  await row.getByRole("button", { name: /is held:/ }).click();
  const panel = operator.page.getByRole("dialog", { name: `Order held: ${objectId}` });
  await panel.getByText(/It does not leave until every hold is released/).waitFor();
  await operator.checkBoth();
  await operator.shoot("exception-panel");
  await operator.shoot("exception-panel", { scheme: "dark" });
  const undo = operator.page.getByRole("button", { name: "Undo", exact: true });
  await panel.getByRole("button", { name: "Assign to me" }).click();
  await panel.getByText(operator.user?.userName as string).waitFor();
  await undo.click();
  await operator.page.getByText("The change was taken back.").waitFor();
  await panel.getByText("Unassigned").waitFor();
  await panel.getByRole("button", { name: "Assign to me" }).click();
  await panel.getByText(operator.user?.userName as string).waitFor();
  await panel.getByRole("button", { name: "Note" }).click();
  const note = operator.page.getByRole("dialog", { name: "Note" });
  await note.getByLabel("Note").fill("Asked the client on Monday");
  await note.getByRole("button", { name: "Note" }).click();
  await panel.getByText("Asked the client on Monday").waitFor();
  await panel.getByRole("button", { name: "Resolve" }).click();
  const question = operator.page.getByRole("dialog", { name: /^Resolve Order held/ });
  await question.getByLabel("Why no action is needed").fill("Agreed with the client");
  await question.getByRole("button", { name: "Resolve" }).click();
  const notice = operator.page.getByText("1 exception is resolved in 5 seconds.");
  await notice.waitFor();
  await operator.checkBoth();
  await operator.shoot("exception-undo");
  await operator.shoot("exception-undo", { scheme: "dark" });
  await undo.last().click();
  await operator.page.getByText("Nothing was changed.").waitFor();
  const isOpen = async () => {
    const path = "/exception/list?type=ORDER_HELD&limit=500";
    const body: { items: { objectId: string }[] } = await answerOf(operator, path);
    return body.items.some((item) => item.objectId === objectId);
  };
  await operator.page.waitForTimeout(6_000);
  assert.ok(await isOpen(), "an undone action does not run later");
  await panel.getByRole("button", { name: "Resolve" }).click();
  await question.getByLabel("Why no action is needed").fill("Agreed with the client");
  await question.getByRole("button", { name: "Resolve" }).click();
  await notice.waitFor();
  assert.ok(await isOpen(), "it does not run before the end of the grace");
  await operator.page.getByText("The exception is dismissed.").waitFor();
  assert.ok(!(await isOpen()));
});

world.test("an exception and a whole cause are snoozed, found by the filter, and put back", async (open) => {
  const operator = await open("operator");
  const { page } = operator;
  const region = page.getByRole("region", { name: "Exceptions" });
  await openList(operator, "type=ORDER_BACKORDERED&sort=since");
  const row = rowsOf(operator).first();
  const objectId = (await row.locator("a").first().innerText()).trim();
  await row.getByRole("button", { name: /waits for/ }).click();
  const panel = page.getByRole("dialog", { name: `Backorder: ${objectId}` });
  await panel.getByRole("button", { name: "Snooze" }).click();
  const question = page.getByRole("dialog", { name: `Snooze Backorder: ${objectId}` });
  await question.getByText(/comes back by itself/).waitFor();
  await question.getByRole("combobox", { name: "Until" }).click();
  await page.getByRole("option", { name: "A day, 08:00" }).click();
  await question.getByRole("button", { name: "Snooze" }).click();
  await question.getByRole("alert").getByText("Choose the day.").waitFor();
  await operator.checkBoth();
  for (const scheme of ["light", "dark"] as const) {
    await operator.shoot("exception-snooze", { scheme });
    await operator.shoot("exception-snooze", { scheme, width: 390, height: 844 });
  }
  await question.getByRole("combobox", { name: "Until" }).click();
  await page.getByRole("option", { name: "In 4 hours" }).click();
  await question.getByRole("button", { name: "Snooze" }).click();
  await page.getByText("The exception is snoozed.").waitFor();
  await region.getByRole("link", { name: objectId, exact: true }).waitFor({ state: "hidden" });

  await operator.open("/exceptions?rows=each&type=ORDER_BACKORDERED");
  await page.getByRole("button", { name: /^Snoozed/ }).click();
  await region.getByRole("link", { name: objectId, exact: true }).waitFor();
  await until("only the snoozed one", async () => (await rowsOf(operator).count()) === 1);
  await page.getByRole("columnheader", { name: "Snoozed until" }).waitFor();
  await operator.checkBoth();
  await operator.shoot("exceptions-snoozed");
  await operator.shoot("exceptions-snoozed", { width: 390, height: 844 });
  await rowsOf(operator)
    .first()
    .getByRole("button", { name: /waits for/ })
    .click();
  await panel.getByText(`by ${operator.user?.userName} until`).waitFor();
  await panel.getByRole("button", { name: "End snooze" }).click();
  await page.getByText("The exception is open again.").waitFor();
  await page.getByText("No rows match these filters.").waitFor();

  await operator.open("/exceptions?type=ORDER_BACKORDERED");
  const causes = await until("causes", async () => (await rowsOf(operator).count()) || undefined);
  await rowsOf(operator).first().getByRole("checkbox").check({ force: true });
  await page.getByRole("toolbar", { name: "Selected rows" }).getByRole("button", { name: "Snooze" }).click();
  await page
    .getByRole("dialog", { name: /^Snooze/ })
    .getByRole("button", { name: "Snooze" })
    .click();
  await page.getByText("The exceptions are snoozed.").waitFor();
  await until("one cause less", async () => (await rowsOf(operator).count()) === causes - 1);
  await operator.open("/exceptions?type=ORDER_BACKORDERED&isSnoozed=true");
  await rowsOf(operator).first().getByRole("checkbox").check({ force: true });
  await page.getByRole("button", { name: "End snooze" }).click();
  await page.getByText("The exceptions are open again.").waitFor();
});

world.test("a refused report is retried, and its reason is shown when it is refused again", async (open) => {
  const operator = await open("operator");
  operator.expectStatuses(404, 409, 422);
  await openList(operator, "type=REPORT_REFUSED");
  const row = rowsOf(operator).first();
  await row.getByRole("button", { name: "Retry report" }).click();
  await operator.page
    .getByRole("alert")
    .filter({ hasText: /Retry report/ })
    .first()
    .waitFor();
  await row.getByRole("button", { name: /report of .* was refused/ }).click();
  const panel = operator.page.getByRole("dialog", { name: /^Report refused/ });
  await panel.getByRole("button", { name: "Force report" }).click();
  const question = operator.page.getByRole("dialog", { name: /^Force the report/ });
  await question.getByText(/Releases every hold of the order/).waitFor();
  await question.getByRole("button", { name: "Force report" }).click();
  await operator.settled();
});

world.test("many exceptions are taken and resolved at once", async (open) => {
  const operator = await open("operator");
  await openList(operator, "type=ORDER_HELD&client=LUMEN&sort=since");
  const before = await rowsOf(operator).count();
  assert.ok(before >= 3, `${before} held orders of LUMEN`);
  for (const index of [0, 1]) await rowsOf(operator).nth(index).getByRole("checkbox").check({ force: true });
  const bar = operator.page.getByRole("toolbar", { name: "Selected rows" });
  await bar.getByText("2 rows chosen").waitFor();
  await bar.getByRole("button", { name: "Assign to me" }).click();
  await operator.page.getByText("The exceptions are assigned to you.").waitFor();
  for (const index of [0, 1]) await rowsOf(operator).nth(index).getByRole("checkbox").check({ force: true });
  await operator.shoot("exceptions-bulk");
  await bar.getByRole("button", { name: "Cure" }).click();
  const question = operator.page.getByRole("dialog", { name: "Cure 2 exceptions" });
  await question.getByText("2 × Release order.").waitFor();
  await question.getByRole("button", { name: "Cure" }).click();
  await operator.page.getByText("2 of 2 exceptions done").waitFor();
  await operator.settled();
  await until(`${before - 2} held orders of LUMEN`, async () => {
    const body: { items: unknown[] } = await answerOf(
      operator,
      "/exception/list?type=ORDER_HELD&clientId=LUMEN&limit=500",
    );
    return body.items.length === before - 2;
  });
});

world.test("an action within its grace runs when the page is left; the key u takes one back", async (open) => {
  const operator = await open("operator");
  const { page } = operator;
  await openList(operator, "type=ORDER_BACKORDERED&sort=since");
  const leftOpen = async () => {
    const body: { items: unknown[] } = await answerOf(operator, "/exception/list?type=ORDER_BACKORDERED&limit=500");
    return body.items.length;
  };
  const before = await leftOpen();
  const resolveFirst = async () => {
    await rowsOf(operator).first().getByRole("checkbox").check({ force: true });
    await page.getByRole("toolbar", { name: "Selected rows" }).getByRole("button", { name: "Resolve" }).click();
    const question = page.getByRole("dialog", { name: "Resolve 1 exception" });
    await question.getByLabel("Why no action is needed").fill("Known");
    await question.getByRole("button", { name: "Resolve" }).click();
    await page.getByText("1 exception is resolved in 5 seconds.").waitFor();
    await question.waitFor({ state: "detached" });
  };
  await resolveFirst();
  await page.keyboard.press("u");
  await page.getByText("Nothing was changed.").waitFor();
  await page.getByText("1 exception is resolved in 5 seconds.").waitFor({ state: "detached" });
  await resolveFirst();
  await page.goto("about:blank");
  await until("the exception to be resolved", async () => (await leftOpen()) === before - 1);
});

world.test("a viewer can change nothing; an empty list has a message", async (open) => {
  const viewer = await open("viewer");
  await openList(viewer, "type=ORDER_HELD");
  assert.equal(await viewer.page.getByRole("button", { name: "Release order" }).count(), 0);
  assert.equal(await rowsOf(viewer).getByRole("checkbox").count(), 0);
  await rowsOf(viewer)
    .first()
    .getByRole("button", { name: /is held:/ })
    .click();
  const panel = viewer.page.getByRole("dialog");
  await panel.getByText(/It does not leave/).waitFor();
  assert.equal(await panel.getByRole("button", { name: "Resolve" }).count(), 0);
  await viewer.open("/exceptions?text=no-such-thing-anywhere");
  await viewer.page.getByText("No rows match these filters.").waitFor();
  await viewer.checkBoth();
});
