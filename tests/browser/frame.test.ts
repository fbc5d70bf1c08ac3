// The frame of every screen: sign-in, navigation, filters, keys.
import assert from "node:assert/strict";
import { until } from "../support/app/until.ts";
import { browserWorld, type ConsolePage } from "../support/browser/chromium.ts";

const world = await browserWorld();

async function signInByForm({ page }: ConsolePage, userName: string, password: string): Promise<void> {
  await page.getByLabel("User name").fill(userName);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
}

const pathOf = ({ page }: ConsolePage) => page.url().slice(page.url().indexOf("/console") + "/console".length);

world.test("a user signs in, sees that a password is wrong, and returns to the requested page", async (open) => {
  const { user } = await open("operator");
  assert.ok(user);
  const visitor = await open(null);
  visitor.expectStatuses(401);
  await visitor.open("/audit?client=DEMO&range=7d");
  await visitor.page.waitForURL("**/console/sign-in?*");
  assert.equal(pathOf(visitor), `/sign-in?return=${encodeURIComponent("/audit?client=DEMO&range=7d")}`);
  await visitor.checkBoth();
  await visitor.shoot("sign-in");
  await visitor.shoot("sign-in", { scheme: "dark" });

  await signInByForm(visitor, user.userName, "not the password");
  const alert = visitor.page.getByRole("alert");
  await alert.waitFor();
  assert.match(await alert.innerText(), /User name or password is wrong/);
  await visitor.check();
  await signInByForm(visitor, user.userName, user.password);
  await visitor.page.getByRole("heading", { name: "Audit", level: 1 }).waitFor();
  assert.equal(pathOf(visitor), "/audit?client=DEMO&range=7d");
});

world.test("before scripts and style sheets arrive, the page shows the outline of the frame", async (open) => {
  const viewer = await open("viewer");
  const { page } = viewer;
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route("**/console/assets/**", (route) => released.then(() => route.continue()));
  await page.goto(`${world.server.url}/console/facilities`, { waitUntil: "commit" });
  const outline = page.locator(".outline");
  await outline.waitFor();
  await until("the first paint", () => page.evaluate<boolean>("performance.getEntriesByType('paint').length > 0"));
  const background = () =>
    page.evaluate<string>("getComputedStyle(document.querySelector('.outline')).backgroundColor");
  for (const [scheme, colour] of [
    ["dark", "rgb(22, 24, 27)"],
    ["light", "rgb(255, 255, 255)"],
  ] as const) {
    await viewer.setScheme(scheme);
    assert.equal(await background(), colour);
  }
  await page.setViewportSize({ width: 390, height: 844 });
  assert.equal(await page.evaluate("document.documentElement.scrollWidth"), 390);
  await page.setViewportSize({ width: 1440, height: 900 });

  release();
  await page.getByRole("heading", { name: "Facilities", level: 1 }).waitFor();
  assert.equal(await outline.count(), 0);
  await viewer.settled();
  await viewer.check();
});

world.test(
  "signing out ends the session; a session that has ended leads to the sign-in page from anywhere",
  async (open) => {
    const viewer = await open("viewer");
    viewer.expectStatuses(401);
    await viewer.open("/facilities");
    await viewer.page.getByRole("button", { name: viewer.user?.userName ?? "" }).click();
    await viewer.page.getByText("Signed in as viewer").waitFor();
    await viewer.page.getByRole("menuitem", { name: "Sign out" }).click();
    await viewer.page.getByRole("button", { name: "Sign in" }).waitFor();
    assert.equal((await viewer.user?.get("/session/get"))?.status, 401);
    assert.equal(await viewer.page.getByText("Your session has ended").count(), 0);

    const other = await open("viewer");
    other.expectStatuses(401);
    await other.open("/facilities");
    assert.equal((await other.user?.delete("/session/delete"))?.status, 204);
    // The next request finds it out: that of the current screen, or that of the one that is opened.
    const link = other.page.getByRole("link", { name: "Orders", exact: true });
    await link.click({ timeout: 2_000 }).catch(() => undefined);
    await other.page.getByRole("button", { name: "Sign in" }).waitFor();
    assert.match(pathOf(other), /^\/sign-in\?return=%2F(?:facilities|orders)/);
    await other.page.getByText("Your session has ended. Sign in to continue where you were.").waitFor();
    await other.checkBoth();
  },
);

world.test("after the end of a session, the console says that the action was not carried out", async (open) => {
  const admin = await open("admin");
  admin.expectStatuses(401);
  await admin.open("/facilities");
  // No read request may find it out first; a running one is answered before the form is filled.
  await admin.page.route("**/v1/operatorService/**", (route) =>
    route.request().method() === "GET" ? undefined : route.continue(),
  );
  await admin.page.getByRole("button", { name: "Add facility" }).click();
  const dialogue = admin.page.getByRole("dialog");
  await dialogue.getByLabel(/^Code/).fill("LOST1");
  await dialogue.getByLabel("Name").fill("Lost");
  await dialogue.getByLabel("Country code").fill("DE");
  await dialogue.getByLabel("Time zone").fill("Europe/Berlin");
  assert.equal((await admin.user?.delete("/session/delete"))?.status, 204);
  await dialogue.getByRole("button", { name: "Add facility" }).click();
  await admin.page.getByText("Your session has ended and your last action was not carried out.").waitFor();
  assert.match(pathOf(admin), /^\/sign-in\?return=%2Ffacilities/);
});

world.test("the screen shows an unavailable server, with the start time, until it answers again", async (open) => {
  const viewer = await open("viewer");
  viewer.expectStatuses(502);
  await viewer.open("/overview");
  const banner = viewer.page.getByRole("alert").filter({ hasText: "figures are old" });
  assert.equal(await banner.count(), 0);
  await viewer.page.route("**/v1/operatorService/**", (route) => route.fulfill({ status: 502 }));
  await banner.waitFor();
  assert.match(await banner.innerText(), /^No answer since \d\d:\d\d (?:GMT|BST); figures are old/);
  await viewer.page.getByRole("heading", { name: "Overview", level: 1 }).waitFor();
  await viewer.checkBoth();
  await viewer.shoot("silent-server");
  await viewer.page.unroute("**/v1/operatorService/**");
  await banner.waitFor({ state: "detached" });
});

world.test("a list keeps its last figures while the server does not answer", async (open) => {
  const viewer = await open("viewer");
  viewer.expectStatuses(502);
  const { page } = viewer;
  await viewer.open("/orders");
  const figure = page
    .getByRole("main")
    .getByRole("link", { name: /Orders to leave/ })
    .first();
  await figure.filter({ hasText: /\d/ }).waitFor();
  const before = await figure.innerText();
  await page.route("**/v1/operatorService/**", (route) => route.fulfill({ status: 502 }));
  await page.getByRole("alert").filter({ hasText: "figures are old" }).waitFor();
  // A read fails after three attempts; the fourth belongs to the next poll.
  const isOfFigure = (url: string) => url.includes("/order/figures");
  for (let attempt = 1; attempt <= 4; attempt++)
    await page.waitForResponse((answer) => isOfFigure(answer.url()) && answer.status() === 502);
  assert.equal(await figure.innerText(), before, "the figure is old, not unknown");
});

world.test("a screen whose script does not load shows a message in the frame, and can be retried", async (open) => {
  const viewer = await open("viewer");
  // The browser logs the failed script without a status.
  viewer.expectStatuses(502, Number.NaN);
  for (const gone of ["**/console/assets/returns-area-*.js", "**/readyz"])
    await viewer.page.route(gone, (route) => route.fulfill({ status: 502 }));
  // While the first screen rests, the scripts of the others are requested: one that is missing neither shows nor reloads.
  const ahead = viewer.page.waitForResponse("**/console/assets/returns-area-*.js");
  await viewer.open("/facilities");
  await ahead;
  await viewer.settled();
  assert.equal(pathOf(viewer), "/facilities");
  // Wait for the answer to each reload probe before the next step: a later answer would reload the page.
  const looked = () => viewer.page.waitForResponse("**/readyz");
  const first = looked();
  await viewer.page.getByRole("link", { name: "Returns", exact: true }).click();
  await viewer.page.getByText("This screen cannot be shown: it could not be loaded").waitFor();
  await first;
  const again = looked();
  await viewer.page.getByRole("button", { name: "Try again" }).click();
  await again;
  await viewer.page.getByRole("navigation").waitFor();
  assert.equal(pathOf(viewer), "/returns");
  await viewer.page.unrouteAll();
  await viewer.page.getByRole("button", { name: "Try again" }).click();
  await viewer.page.getByRole("heading", { name: "Returns", level: 1 }).waitFor();
});

world.test("a password is changed, and the new one signs in", async (open) => {
  const operator = await open("operator");
  operator.expectStatuses(401, 422);
  await operator.open("/facilities");
  await operator.page.getByRole("button", { name: operator.user?.userName ?? "" }).click();
  await operator.page.getByRole("menuitem", { name: "Change password" }).click();
  const dialogue = operator.page.getByRole("dialog", { name: "Change password" });
  await dialogue.getByLabel("Current password").fill("another one altogether");
  await dialogue.getByLabel("New password").fill("a pallet of blue paint 42");
  await dialogue.getByRole("button", { name: "Change password" }).click();
  await dialogue.getByRole("alert").waitFor();
  await operator.check();
  await dialogue.getByLabel("Current password").fill(operator.user?.password ?? "");
  await dialogue.getByRole("button", { name: "Change password" }).click();
  await operator.page.getByText("Your password was changed").waitFor();

  const again = await open(null);
  again.expectStatuses(401);
  await again.open("/facilities");
  await signInByForm(again, operator.user?.userName ?? "", "a pallet of blue paint 42");
  await again.page.getByRole("heading", { name: "Facilities", level: 1 }).waitFor();
});

world.test("the theme follows the system until the user chooses, and the choice is kept", async (open) => {
  const viewer = await open("viewer");
  const becomes = (scheme: string) =>
    viewer.page.locator(`html[data-mantine-color-scheme=${scheme}]`).waitFor({ state: "attached" });
  await viewer.open("/facilities");
  await viewer.setScheme("dark");
  await becomes("dark");
  await viewer.setScheme("light");
  await becomes("light");
  await viewer.page.getByRole("button", { name: "Theme" }).click();
  await viewer.page.getByRole("menuitem", { name: "Dark" }).click();
  await becomes("dark");
  await viewer.page.reload();
  await viewer.page.getByRole("heading", { name: "Facilities", level: 1 }).waitFor();
  await becomes("dark");
});

world.test("everything can be reached by keyboard: skip link, search, screens, shortcuts", async (open) => {
  const viewer = await open("viewer");
  const { keyboard } = viewer.page;
  await viewer.open("/facilities");
  await keyboard.press("Tab");
  const focused = () => viewer.page.evaluate("document.activeElement.textContent");
  assert.equal(await focused(), "Skip to the content");
  await keyboard.press("Enter");
  // Without an expression: the page's policy forbids its second evaluation.
  await viewer.page.locator("#main:focus").waitFor();

  await keyboard.press("/");
  const search = viewer.page.getByRole("combobox", { name: "Search" });
  await search.waitFor();
  await viewer.checkBoth();
  await keyboard.type("Audit");
  await keyboard.press("Enter");
  await viewer.page.getByRole("heading", { name: "Audit", level: 1 }).waitFor();
  await viewer.settled();
  // In immediate succession: more than a second apart, they are not a key sequence.
  await Promise.all([keyboard.press("g"), keyboard.press("y")]);
  await viewer.page.getByRole("heading", { name: "Facilities", level: 1 }).waitFor();
  await keyboard.press("Shift+?");
  await viewer.page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
  await viewer.checkBoth();
  await viewer.shoot("shortcuts");
});

world.test("the search jumps to an order by its number, straight from the keys", async (open) => {
  const viewer = await open("viewer");
  const { body } = (await viewer.user?.get("/order/list?limit=1&clientId=DEMO")) ?? { body: undefined };
  const { orderId } = body.items[0] as { orderId: string };
  await viewer.open("/facilities");
  await viewer.page.keyboard.press("Control+k");
  await viewer.page.getByRole("combobox", { name: "Search" }).waitFor();
  await viewer.page.keyboard.type(orderId);
  await viewer.page.getByRole("option").first().waitFor();
  await viewer.settled();
  await viewer.shoot("search");
  await viewer.shoot("search", { scheme: "dark" });
  await viewer.page.keyboard.press("Enter");
  await viewer.page.waitForURL(`**/console/orders/DEMO/${encodeURIComponent(orderId)}*`);
});

world.test("a search with fields opens the orders that it finds, and says what it cannot read", async (open) => {
  const viewer = await open("viewer");
  await viewer.open("/facilities?client=FJORD");
  await viewer.page.keyboard.press("Control+k");
  const search = viewer.page.getByRole("combobox", { name: "Search" });
  await search.fill("status:delivered client:demo priority:high");
  await viewer.page.getByText("priority is 1 to 9, not high.").waitFor();
  assert.equal(await viewer.page.getByRole("option").count(), 0);
  await search.fill("status:delivered client:demo");
  await viewer.page.getByRole("option", { name: /^Orders/ }).waitFor();
  await viewer.shoot("search-fields");
  await viewer.page.keyboard.press("Enter");
  await viewer.page.waitForURL("**/console/orders?*");
  const { searchParams } = new URL(viewer.page.url());
  assert.deepEqual(Object.fromEntries(searchParams), { status: "DELIVERED", client: "DEMO" });
  const rows = viewer.page.getByRole("region", { name: "Orders" }).locator("tbody tr");
  await rows.filter({ hasText: "Delivered" }).first().waitFor();
});

world.test("a user chooses the time zone and the order of dates, and the browser keeps them", async (open) => {
  const viewer = await open("viewer");
  await viewer.open("/facilities");
  const shown = async () => (await viewer.page.locator("main time").first().getAttribute("title")) ?? "";
  await viewer.page.locator("main time").first().waitFor();
  assert.match(await shown(), /^\d{1,2} [A-Z][a-z]+ \d{4}, \d\d:\d\d:\d\d (GMT|BST|CET|CEST)/);
  await viewer.page.getByRole("button", { name: viewer.user?.userName ?? "" }).click();
  await viewer.page.getByRole("menuitem", { name: "Times and dates" }).click();
  const dialog = viewer.page.getByRole("dialog", { name: "Times and dates" });
  await dialog.getByLabel("UTC", { exact: true }).check();
  await dialog.getByLabel("2026-11-20 15:40").check();
  await dialog.getByText(/^Now: \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/).waitFor();
  await viewer.checkBoth();
  await viewer.shoot("times");
  await viewer.page.reload();
  await viewer.page.locator("main time").first().waitFor();
  assert.match(await shown(), /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/);
});

world.test("the filters of the top bar are in the address and apply to all screens", async (open) => {
  const viewer = await open("viewer");
  await viewer.open("/facilities");
  assert.equal(await viewer.page.getByRole("navigation").getByRole("link").count(), 18);
  await viewer.page.getByRole("combobox", { name: "Client" }).click();
  await viewer.page.getByRole("option", { name: /DEMO/ }).click();
  await viewer.page.getByRole("button", { name: "Facility: All facilities" }).click();
  const facilities = viewer.page.getByRole("dialog", { name: "Facility" });
  await facilities.getByRole("checkbox", { name: /DC1/ }).check();
  await viewer.page.keyboard.press("Escape");
  await facilities.waitFor({ state: "detached" });
  await viewer.page.getByRole("link", { name: "Clients", exact: true }).click();
  await viewer.page.getByRole("heading", { name: "Clients", level: 1 }).waitFor();
  const { searchParams } = new URL(viewer.page.url());
  assert.deepEqual(Object.fromEntries(searchParams), { client: "DEMO", facility: "DC1" });
  await viewer.page.reload();
  await viewer.page.getByRole("heading", { name: "Clients", level: 1 }).waitFor();
  assert.match(await viewer.page.getByRole("combobox", { name: "Client" }).inputValue(), /DEMO/);
});

world.test("the bar names the environment on every screen, and sets production apart", async (open) => {
  const viewer = await open("viewer");
  const { page } = viewer;
  await viewer.open("/facilities");
  const badge = page.getByTitle(/^Environment: /);
  assert.equal(await badge.innerText(), "Sandbox");
  await viewer.shoot("environment-sandbox");
  await page.route("**/session/get", async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: Object.assign(await response.json(), { environment: "production" }) });
  });
  await viewer.open("/orders");
  assert.equal(await badge.innerText(), "Production");
  await viewer.checkBoth();
  await viewer.shoot("environment-production");
  await viewer.shoot("environment-production", { scheme: "dark" });
  await page.setViewportSize({ width: 390, height: 844 });
  assert.ok(await badge.isVisible());
  assert.equal(await page.evaluate("document.documentElement.scrollWidth"), 390);
  await viewer.shoot("environment-production", { width: 390, height: 844 });
});

world.test("on a tablet the navigation is a drawer; on a desk it folds to icons and stays so", async (open) => {
  const viewer = await open("viewer");
  await viewer.open("/facilities");
  await viewer.page.getByRole("button", { name: "Navigation" }).click();
  await viewer.page.reload();
  await viewer.page.getByRole("heading", { name: "Facilities", level: 1 }).waitFor();
  assert.equal((await viewer.page.getByRole("navigation").boundingBox())?.width, 55);
  await viewer.checkBoth();
  await viewer.shoot("folded");

  await viewer.page.setViewportSize({ width: 1024, height: 768 });
  await viewer.page.getByRole("navigation").waitFor({ state: "detached" });
  await viewer.checkBoth();
  await viewer.page.getByRole("button", { name: "Navigation" }).click();
  await viewer.page.getByRole("navigation").waitFor();
  await viewer.checkBoth();
  await viewer.shoot("drawer", { width: 1024, height: 768 });
  await viewer.page.getByRole("link", { name: "Audit", exact: true }).click();
  await viewer.page.getByRole("heading", { name: "Audit", level: 1 }).waitFor();
  await viewer.page.getByRole("navigation").waitFor({ state: "detached" });
});

world.test("a browser language that Intl refuses leaves every chart in place", async (open) => {
  const viewer = await open("viewer", { locale: "en-US@posix" });
  await viewer.open("/overview");
  const chart = viewer.page.getByRole("region", { name: "Feeds received" });
  await chart.locator(".uplot").waitFor();
  await viewer.check();
});
