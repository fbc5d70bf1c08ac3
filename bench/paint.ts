import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { type BrowserContext, type CDPSession, chromium } from "playwright-core";
import { findChromium } from "../tests/support/browser/executable.ts";
import { machine, median } from "./feeds/machine.ts";

/** Slow 3G as Chromium emulates it: 400 ms for each round trip, 400 kbit/s in both directions. */
const slow3G = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 };

const rounds = 5;
const waitMsMax = 60_000;

const row = "main tbody td a";
/** Each frame looks for a row; the policy of the console forbids what Playwright would evaluate for that. */
const noteRows = `(function look() {
  if (document.querySelector(${JSON.stringify(row)})) window.rowsMs = performance.now();
  else requestAnimationFrame(look);
})()`;

interface Visit {
  readonly shellMs: number;
  readonly rowsMs: number;
  readonly requests: number;
  /** From the network, as transferred. */
  readonly bytes: number;
}

/**
 * Measures the orders list of a running server with the demo (`npm start`) on slow 3G, after a first visit has filled
 * the cache of the browser: the first paint, which is the outline of the frame, and the first rows.
 */
export async function run(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      url: { type: "string", default: "http://127.0.0.1:8080" },
      data: { type: "string", default: "data" },
      path: { type: "string", default: "/orders" },
    },
  });
  const executablePath = await findChromium();
  if (executablePath === undefined) throw new Error("There is no Chromium: CHROMIUM_PATH names one.");
  console.log(`${new Date().toISOString().slice(0, 10)}, ${machine()}, 400 ms and 400 kbit/s`);
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-dev-shm-usage"] });
  try {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    await context.addInitScript(noteRows);
    await signIn(context, values.url, `${values.data}/demo-credentials.json`);
    const address = `${values.url}/console${values.path}`;
    const visits: Visit[] = [];
    // The first visit fills the cache.
    await visit(context, address);
    for (let round = 0; round < rounds; round++) {
      const measured = await visit(context, address, slow3G);
      visits.push(measured);
      console.log(
        `shell ${measured.shellMs.toFixed(0)} ms, rows ${measured.rowsMs.toFixed(0)} ms, ${measured.requests} requests of ${measured.bytes} bytes`,
      );
    }
    const [shell, rows] = [visits.map(({ shellMs }) => shellMs), visits.map(({ rowsMs }) => rowsMs)];
    console.log(
      `median: shell ${median(shell).toFixed(0)} ms (goal 1000), rows ${median(rows).toFixed(0)} ms (goal 3000)`,
    );
  } finally {
    await browser.close();
  }
}

/** Signs the context in as the operator of the demo. @param file `demo-credentials.json` of the data folder */
export async function signIn(context: BrowserContext, url: string, file: string): Promise<void> {
  const { username, password } = (JSON.parse(readFileSync(file, "utf8")) as { console: Record<string, string> })
    .console;
  const data = { userName: username, password };
  const answer = await context.request.post(`${url}/v1/operatorService/session/create`, { data });
  if (!answer.ok())
    throw new Error(`The sign-in with ${file} was answered by ${answer.status()}: ${await answer.text()}`);
}

async function visit(context: BrowserContext, address: string, network?: typeof slow3G): Promise<Visit> {
  const page = await context.newPage();
  page.setDefaultTimeout(waitMsMax);
  try {
    const session = await context.newCDPSession(page);
    const sent = await countTransfers(session);
    if (network) await session.send("Network.emulateNetworkConditions", network);
    await page.goto(address, { waitUntil: "commit" });
    await page.locator(row).first().waitFor();
    const { requests, bytes } = sent();
    const rowsMs = await page.evaluate<number>("window.rowsMs");
    const shellMs = await page.evaluate<number>("performance.getEntriesByName('first-paint')[0].startTime");
    await page.waitForLoadState("networkidle");
    return { shellMs, rowsMs, requests, bytes };
  } finally {
    await page.close();
  }
}

/** @returns reads what has come over the network so far */
async function countTransfers(session: CDPSession): Promise<() => Pick<Visit, "requests" | "bytes">> {
  await session.send("Network.enable");
  let [requests, bytes] = [0, 0];
  session.on("Network.loadingFinished", ({ encodedDataLength }) => {
    if (encodedDataLength === 0) return;
    requests++;
    bytes += encodedDataLength;
  });
  return () => ({ requests, bytes });
}
