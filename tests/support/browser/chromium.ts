// The console in a real Chromium, on a server with the demo data.
import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import path from "node:path";
import { type TestContext, test } from "node:test";
import axe from "axe-core";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { buildConsole } from "#/app/console-host/site.ts";
import type { OperatorRole } from "#/http/access/operator-role.ts";
import { atEnd } from "../app/at-end.ts";
import { type ConsoleUser, type Limits, signIn } from "../app/console.ts";
import { type TestServer, testServer } from "../app/server.ts";
import { findChromium } from "./executable.ts";

const testMsMax = 200_000;
const actionMsMax = 40_000;
const pageMsMax = 60_000;
const launchMsMax = 90_000;
const buildMsMax = 600_000;

// Only these rules depend on the scheme.
const axeColourRules = ["color-contrast", "link-in-text-block"];
const axeTags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

export type Scheme = "light" | "dark";

export interface ShotOptions {
  /** Default: the scheme of the page. */
  readonly scheme?: Scheme;
  /** Pixels; default 1440 × 900. */
  readonly width?: number;
  readonly height?: number;
}

/** The console in a separate window with a separate session. */
export interface ConsolePage {
  /** Playwright's page. */
  readonly page: Page;
  /** Undefined on a page without a session. */
  readonly user: ConsoleUser | undefined;
  /** Opens a path below /console, such as `/orders?state=ON_HOLD`, and waits until it has loaded. */
  open(path: string): Promise<void>;
  /** Waits until no request is pending. */
  settled(): Promise<void>;
  /** Sets the system scheme, which the console follows unless the user has chosen one. */
  setScheme(scheme: Scheme): Promise<void>;
  /** Asserts that no error was logged, that no request went to another origin, and that axe finds no violation. */
  check(): Promise<void>;
  /** Runs `check`, and axe's rules of colour in the dark scheme. */
  checkBoth(): Promise<void>;
  /**
   * Saves a screenshot as NAME-SCHEME-WIDTH.png into the folder of CROSSDOCK_TEST_SHOTS; without that variable, does
   * nothing.
   */
  shoot(name: string, options?: ShotOptions): Promise<void>;
  /** The browser logs a provoked status as an error; these statuses are ignored. */
  expectStatuses(...statuses: readonly number[]): void;
  /** Allows another origin, whose page logs are ignored. */
  expectOrigin(origin: string): void;
}

export interface BrowserWorld {
  readonly server: TestServer;
  /**
   * A test in the browser. Its windows are closed at its end, and must have no errors. Without a Chromium, the test is
   * skipped; under CI it fails.
   */
  test(name: string, work: (open: OpenConsole, context: TestContext) => Promise<void>): void;
}

export interface WindowOptions {
  /** Limits of the user. */
  readonly limits?: Limits;
  /** Value of `navigator.language`; default en-GB. */
  readonly locale?: string;
  /** Another host name of the server, such as localhost; default its address. */
  readonly origin?: string;
}

/** @param role `null`: no user is signed in */
export type OpenConsole = (role: OperatorRole | null, options?: WindowOptions) => Promise<ConsolePage>;

/** A server with demo data, the built console, and one browser. Await it at the top of a test file. */
export async function browserWorld(environment: Record<string, string> = {}): Promise<BrowserWorld> {
  const executable = await findChromium();
  const building = buildConsole(buildMsMax);
  const server = await testServer({ CROSSDOCK_SEED_DEMO: "true", ...environment });
  const { isThere, fault } = await building;
  assert.ok(isThere && fault === undefined, fault ?? "there is no console");
  const browser = executable === undefined ? undefined : await launch(executable);
  if (browser) atEnd(() => browser.close());

  return {
    server,
    test(name, work) {
      test(name, { timeout: testMsMax }, async (context) => {
        if (!browser) return leaveOut(context, name);
        const contexts: BrowserContext[] = [];
        const opened: ConsolePageState[] = [];
        const open: OpenConsole = async (role, { limits, locale = "en-GB", origin = server.url } = {}) => {
          const user = role === null ? undefined : await signIn(server, role, limits);
          const state = await openWindow(browser, { url: origin, user, locale });
          contexts.push(state.context);
          opened.push(state);
          return state;
        };
        try {
          await work(open, context);
          for (const state of opened) assert.deepEqual(state.faults(), []);
        } catch (error) {
          for (const [i, state] of opened.entries()) {
            context.diagnostic(`window ${i + 1} was at ${state.page.url()}; ${state.faults().join("; ")}`);
            await state.shoot(`failed-${name.replace(/\W+/g, "-").slice(0, 60)}-${i + 1}`).catch(() => undefined);
          }
          throw error;
        } finally {
          for (const browserContext of contexts) await browserContext.close();
        }
      });
    },
  };
}

function leaveOut(context: TestContext, name: string): void {
  if (process.env.CI === "true") throw new Error("there is no Chromium, and under CI nothing is left out");
  context.diagnostic(`LEFT OUT: '${name}' was not tried, because there is no Chromium (CHROMIUM_PATH names one)`);
}

function launch(executablePath: string): Promise<Browser> {
  // The sandbox is unavailable to root and in most containers. All pages are our own.
  const args = ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--font-render-hinting=none"];
  return chromium.launch({ executablePath, args, timeout: launchMsMax });
}

interface ConsolePageState extends ConsolePage {
  readonly context: BrowserContext;
  faults(): readonly string[];
}

interface OpenedWindow {
  readonly url: string;
  readonly user: ConsoleUser | undefined;
  readonly locale: string;
}

async function openWindow(browser: Browser, { url, user, locale }: OpenedWindow): Promise<ConsolePageState> {
  const context = await browser.newContext({
    baseURL: url,
    viewport: { width: 1440, height: 900 },
    colorScheme: "light",
    reducedMotion: "reduce",
    locale,
    timezoneId: "Europe/London",
    // The headless shell refuses the clipboard otherwise.
    permissions: ["clipboard-read", "clipboard-write"],
  });
  context.setDefaultTimeout(actionMsMax);
  context.setDefaultNavigationTimeout(pageMsMax);
  if (user) {
    const [name = "", value = ""] = user.cookie.split(/=(.*)/s);
    await context.addCookies([{ name, value, url }]);
  }
  const page = await context.newPage();
  const faults: string[] = [];
  const expected = new Set<number>();
  const origins = new Set([url]);
  const isOther = (address: string) => URL.canParse(address) && new URL(address).origin !== url;
  page.on("console", (message) => {
    if (message.type() !== "error" && message.type() !== "warning") return;
    const status = Number(/status of (\d+)/.exec(message.text())?.[1]);
    const { url: place } = message.location();
    if (isOther(place) && origins.has(new URL(place).origin)) return;
    if (!expected.has(status)) faults.push(`logged: ${message.text()} (${place})`);
  });
  page.on("pageerror", (error) => faults.push(`thrown: ${error.message}`));
  page.on("request", (request) => {
    const { origin, protocol } = new URL(request.url());
    if (!origins.has(origin) && protocol !== "data:" && protocol !== "blob:")
      faults.push(`asked elsewhere: ${request.url()}`);
  });

  const state: ConsolePageState = {
    context,
    page,
    user,
    faults: () => faults,
    expectStatuses: (...statuses) => {
      for (const status of statuses) expected.add(status);
    },
    expectOrigin: (origin) => void origins.add(origin),
    async open(to) {
      await page.goto(`${url}/console${to}`);
      await page.locator("main").first().waitFor();
      await state.settled();
    },
    async settled() {
      await page.waitForLoadState("networkidle");
      // A lazily loaded screen first shows a skeleton.
      await page.getByText("Loading", { exact: true }).waitFor({ state: "detached" });
      await page.evaluate("document.fonts.ready.then(() => undefined)");
    },
    setScheme: (colorScheme) => page.emulateMedia({ colorScheme }),
    async check() {
      const violations = await axeOf(page, { type: "tag", values: axeTags });
      assert.deepEqual([...faults, ...violations], []);
    },
    async checkBoth() {
      await state.check();
      await state.setScheme("dark");
      assert.deepEqual(await axeOf(page, { type: "rule", values: axeColourRules }), []);
      await state.setScheme("light");
    },
    shoot: (name, options) => shoot(page, name, options),
  };
  return state;
}

interface AxeResults {
  readonly violations: readonly {
    readonly id: string;
    readonly help: string;
    readonly nodes: readonly { readonly target: readonly unknown[]; readonly failureSummary?: string }[];
  }[];
}

interface AxeChoice {
  readonly type: "tag" | "rule";
  readonly values: readonly string[];
}

/** Axe violations, one line per place. */
async function axeOf(page: Page, runOnly: AxeChoice): Promise<readonly string[]> {
  // Compiling axe takes longer than most of its rules.
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe.source);
  const { violations } = (await page.evaluate(
    `axe.run(document, { runOnly: ${JSON.stringify(runOnly)}, resultTypes: ["violations"] })`,
  )) as AxeResults;
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary = "" }) => {
      const why = failureSummary.split("\n").slice(1).join(" ").trim();
      return `axe ${id}: ${help} at ${target.join(" ")} (${why.slice(0, 200)})`;
    }),
  );
}

async function shoot(page: Page, name: string, options: ShotOptions = {}): Promise<void> {
  const folder = process.env.CROSSDOCK_TEST_SHOTS;
  if (folder === undefined) return;
  const { scheme, width = 1440, height = 900 } = options;
  const before = page.viewportSize();
  if (scheme) await page.emulateMedia({ colorScheme: scheme });
  await page.setViewportSize({ width, height });
  await page.waitForTimeout(150);
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: path.join(folder, `${name}-${scheme ?? "light"}-${width}.png`) });
  if (before) await page.setViewportSize(before);
  if (scheme) await page.emulateMedia({ colorScheme: "light" });
}
