// `npm run audit`: judges known vulnerabilities of the packages by the policy in SECURITY.md. Exit code 1 when an
// advisory must be fixed first, or when no source of advisories has answered for too many days; otherwise 0. A source
// that is unavailable for a day is reported and does not fail the run, because this says nothing about the packages.
import { readFileSync, writeFileSync } from "node:fs";
import { dayMs } from "#/kernel/values/durations.ts";
import { type Acceptance, type AuditReport, checkAdvisories, checkSilence } from "./supply/advisories.ts";
import { runNpm } from "./supply/npm.ts";
import { readLockFile } from "./supply/shipped.ts";

/** The last day on which a source answered, as committed; tests name another file. */
const record = process.env.CROSSDOCK_AUDIT_RECORD ?? new URL("supply/last-audit.json", import.meta.url);
/** Days between two updates of the record, so that not every run leaves a change to commit. */
const renewedAfterDays = 7;

const acceptances: Acceptance[] = JSON.parse(
  readFileSync(new URL("supply/accepted-advisories.json", import.meta.url), "utf8"),
);
const { answeredOn }: { readonly answeredOn: string } = JSON.parse(readFileSync(record, "utf8"));
const today = new Date().toISOString().slice(0, 10);
const { output, complaints } = await runNpm(["audit", "--json"]);
const report = readReport(output);
if (report === undefined) {
  const why = complaints.trim().split("\n")[0];
  console.log(`LEFT OUT: no advisories were checked, because the registry gave none: ${why}`);
  const silence = checkSilence(answeredOn, today);
  console.log(`${silence.fails ? "✖" : "·"} ${silence.line}`);
  process.exitCode = silence.fails ? 1 : 0;
} else {
  const findings = checkAdvisories(report, readLockFile(), acceptances, today);
  for (const { line, fails } of findings) console.log(`${fails ? "✖" : "·"} ${line}`);
  const failed = findings.filter(({ fails }) => fails).length;
  console.log(`${findings.length} advisories, ${failed} of them must be fixed first`);
  process.exitCode = failed === 0 ? 0 : 1;
  if (Date.parse(today) - Date.parse(answeredOn) >= renewedAfterDays * dayMs) {
    writeFileSync(record, `${JSON.stringify({ answeredOn: today })}\n`);
    console.log("scripts/supply/last-audit.json has the day: commit it");
  }
}

/** @returns undefined when npm reports that it could not reach the registry. */
function readReport(text: string): AuditReport | undefined {
  try {
    const answer: Partial<AuditReport> = JSON.parse(text);
    return answer.vulnerabilities === undefined ? undefined : (answer as AuditReport);
  } catch {
    return undefined;
  }
}
