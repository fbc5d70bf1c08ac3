// `npm run audit`: known weaknesses of the packages, judged by the policy in SECURITY.md. Exit code 1 when one must be mended
// first, 0 when none must; a registry that does not answer is said and fails nothing, because it is no word on the packages.
import { readFileSync } from "node:fs";
import { type Acceptance, type AuditReport, judgeAdvisories } from "./supply/advisories.ts";
import { runNpm } from "./supply/npm.ts";
import { readLockFile } from "./supply/shipped.ts";

const acceptances: Acceptance[] = JSON.parse(
  readFileSync(new URL("supply/accepted-advisories.json", import.meta.url), "utf8"),
);
const { output, complaints } = await runNpm(["audit", "--json"]);
const report = readReport(output);
if (report === undefined) {
  console.log(
    `LEFT OUT: no advisories were judged, because the registry gave none: ${complaints.trim().split("\n")[0]}`,
  );
} else {
  const findings = judgeAdvisories(report, readLockFile(), acceptances, new Date().toISOString().slice(0, 10));
  for (const { line, fails } of findings) console.log(`${fails ? "✖" : "·"} ${line}`);
  const failed = findings.filter(({ fails }) => fails).length;
  console.log(`${findings.length} advisories, ${failed} of them must be mended first`);
  process.exitCode = failed === 0 ? 0 : 1;
}

/** Undefined for npm's report that it could not ask. */
function readReport(text: string): AuditReport | undefined {
  try {
    const answer: Partial<AuditReport> = JSON.parse(text);
    return answer.vulnerabilities === undefined ? undefined : (answer as AuditReport);
  } catch {
    return undefined;
  }
}
