import { existsSync } from "node:fs";
import path from "node:path";

// Debian's headless shell does the same for two thirds of Chromium's processor time.
const systemBrowsers = [
  "chromium-headless-shell",
  "chromium",
  "chromium-browser",
  "google-chrome-stable",
  "google-chrome",
  "chrome",
];

/** The Chromium of CHROMIUM_PATH, of the system, or of @sparticuz/chromium, which runs on Linux only. */
export async function findChromium(): Promise<string | undefined> {
  const named = process.env.CHROMIUM_PATH;
  if (named !== undefined && named !== "") return named;
  for (const folder of (process.env.PATH ?? "").split(path.delimiter)) {
    for (const name of systemBrowsers) if (existsSync(path.join(folder, name))) return path.join(folder, name);
  }
  if (process.platform !== "linux" || process.arch !== "x64") return undefined;
  try {
    const packed = await import("@sparticuz/chromium");
    return await packed.default.executablePath();
  } catch {
    return undefined;
  }
}
