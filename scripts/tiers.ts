// The two tiers of tests: `npm test` runs the default tier, `npm run test:full` also the long files.
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
/** Tests that kill processes, drive a browser, run for minutes, or need programs of others. */
const longFolders = [
  "browser",
  "chaos",
  "deploy",
  "faults",
  "generators",
  "guides",
  "interop",
  "languages",
  "property",
  "supply",
];
/** A file that takes longer alone than this is also long. */
const longSecondsMin = 8;

/** The duration of each file; `CROSSDOCK_TEST_RECORD=1 npm test` rewrites it. */
export const durationsFile = path.join(root, "tests", "durations.json");
/** Durations in seconds, by the file's path from the root. */
export const durations: Readonly<Record<string, number>> = existsSync(durationsFile)
  ? (JSON.parse(readFileSync(durationsFile, "utf8")) as Record<string, number>)
  : {};

/** @param file relative to the root */
export const isInLongFolder = (file: string): boolean => longFolders.some((name) => file.startsWith(`tests/${name}/`));

/** Whether `npm test` leaves the file to `npm run test:full`. @param file relative to the root */
export const isLong = (file: string): boolean => isInLongFolder(file) || (durations[file] ?? 0) > longSecondsMin;
