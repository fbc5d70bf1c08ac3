import { parseArgs } from "node:util";
import { chromium, type Page } from "playwright-core";
import { findChromium } from "../tests/support/browser/executable.ts";
import { machine, median } from "./feeds/machine.ts";
import { signIn } from "./paint.ts";

const rounds = 7;
const goalMs = 300;

/**
 * Each frame after a click looks whether the next screen is complete: its heading is there, and no skeleton. The policy
 * of the console forbids what Playwright would evaluate for that.
 */
const noteScreens = `addEventListener("click", () => {
  const heading = () => document.querySelector("main h1")?.textContent;
  const [clickedMs, before] = [performance.now(), heading()];
  window.clickedMs = clickedMs;
  window.completeMs = undefined;
  (function look() {
    if (window.clickedMs !== clickedMs) return;
    const isComplete = heading() && heading() !== before && !document.querySelector("main .mantine-Skeleton-root");
    if (!isComplete) window.completeMs = undefined;
    else window.completeMs ??= performance.now() - clickedMs;
    requestAnimationFrame(look);
  })();
}, true)`;

/**
 * Measures each screen of the navigation on a running server with the demo (`npm start`): from the click on its link to
 * the frame that has all its data. Each round opens a new page, so that no screen has its data already.
 * The first round fills the cache of the browser with the code of the screens, and does not count.
 */
export async function run(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: { url: { type: "string", default: "http://127.0.0.1:8080" }, data: { type: "string", default: "data" } },
  });
  const executablePath = await findChromium();
  if (executablePath === undefined) throw new Error("There is no Chromium: CHROMIUM_PATH names one.");
  console.log(`${new Date().toISOString().slice(0, 10)}, ${machine()}, medians of ${rounds}, goal ${goalMs} ms`);
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-dev-shm-usage"] });
  try {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    await context.addInitScript(noteScreens);
    await signIn(context, values.url, `${values.data}/demo-credentials.json`);
    const measured = new Map<string, number[]>();
    for (let round = 0; round <= rounds; round++) {
      const page = await context.newPage();
      await page.goto(`${values.url}/console/`);
      const links = page.getByRole("navigation", { name: "Screens" }).getByRole("link");
      await links.first().waitFor();
      // As every later screen, the first one is complete before the next click: its requests would delay the next ones.
      await page.waitForLoadState("networkidle");
      // The first link is that of the screen which is shown: it comes last.
      for (let index = 1; index <= (await links.count()); index++) {
        const link = links.nth(index % (await links.count()));
        const name = (await link.innerText()).replace(/\n.*/s, "");
        await link.click();
        const ms = await completeMs(page);
        if (round > 0) measured.set(name, [...(measured.get(name) ?? []), ms]);
      }
      await page.close();
    }
    const medians = [...measured].map(([name, found]) => ({ name, ms: median(found), most: Math.max(...found) }));
    for (const { name, ms, most } of medians.toSorted((left, right) => right.ms - left.ms)) {
      console.log(`${name.padEnd(24)} ${ms.toFixed(0).padStart(5)} ms, at most ${most.toFixed(0)} ms`);
    }
    const slow = medians.filter(({ ms }) => ms > goalMs);
    console.log(`${medians.length - slow.length} of ${medians.length} screens within ${goalMs} ms`);
  } finally {
    await browser.close();
  }
}

/** A screen that shows a skeleton again within half a second was not complete. */
async function completeMs(page: Page): Promise<number> {
  let [found, looks] = [undefined as number | undefined, 0];
  for (let waits = 0; waits < 200; waits++) {
    await page.waitForTimeout(100);
    const ms = await page.evaluate<number | undefined>("window.completeMs");
    looks = ms !== undefined && ms === found ? looks + 1 : 0;
    found = ms;
    if (ms !== undefined && looks === 5) return ms;
  }
  throw new Error(`${page.url()} did not become complete within 20 s.`);
}
