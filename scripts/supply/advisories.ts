// The policy on known vulnerabilities of packages (SECURITY.md), applied to the output of `npm audit --json`.
import { dayMs } from "#/kernel/values/durations.ts";
import { type LockFile, listShipped } from "./shipped.ts";

/** The parts of npm's report (auditReportVersion 2) that are read here. */
export interface AuditReport {
  readonly vulnerabilities: Readonly<Record<string, Vulnerability>>;
}

interface Vulnerability {
  readonly name: string;
  /** Advisories on this package itself; a string names another package of the report that this one depends on. */
  readonly via: readonly (string | Advisory)[];
  /** Keys of package-lock.json. */
  readonly nodes: readonly string[];
}

interface Advisory {
  readonly title: string;
  readonly url: string;
  readonly severity: string;
  readonly range: string;
}

/** An advisory that a maintainer has reviewed and found harmless here, until the day of the next review. */
export interface Acceptance {
  /** As the advisory's address ends: `GHSA-…`. */
  readonly advisory: string;
  readonly why: string;
  /** `YYYY-MM-DD`, the last day. */
  readonly until: string;
}

export interface Finding {
  readonly line: string;
  readonly fails: boolean;
}

/** After more days without an answer, the state of the packages is unknown. */
const silentDaysMax = 30;

/** @param answeredOn `YYYY-MM-DD`, the last day on which a source of advisories answered. */
export function checkSilence(answeredOn: string, today: string): Finding {
  const days = Math.round((Date.parse(today) - Date.parse(answeredOn)) / dayMs);
  const line = `no source of advisories has answered since ${answeredOn}, ${days} days of ${silentDaysMax}`;
  return days > silentDaysMax
    ? {
        line: `${line}: run npm run audit where the registry answers, and commit scripts/supply/last-audit.json`,
        fails: true,
      }
    : { line, fails: false };
}

const failing = {
  shipped: new Set(["high", "critical"]),
  // A malicious package is published as a critical advisory, and tools run on machines that can publish.
  tool: new Set(["critical"]),
} as const;

/** One finding for each advisory and affected package, the failing ones first. */
export function checkAdvisories(
  report: AuditReport,
  lock: LockFile,
  acceptances: readonly Acceptance[],
  today: string,
): Finding[] {
  const shipped = new Set(listShipped(lock).map(({ name, version }) => `${name}@${version}`));
  const findings = Object.values(report.vulnerabilities).flatMap(({ name, via, nodes }) => {
    const versions = [...new Set(nodes.map((node) => lock.packages[node]?.version ?? "?"))].sort();
    const part = versions.some((version) => shipped.has(`${name}@${version}`)) ? "shipped" : "tool";
    return via
      .filter((entry): entry is Advisory => typeof entry !== "string")
      .map(({ title, url, severity, range }): Finding => {
        const accepted = acceptances.find(({ advisory }) => url.endsWith(`/${advisory}`));
        const isAccepted = accepted !== undefined && today <= accepted.until;
        const acceptance = accepted ? ` (accepted until ${accepted.until}: ${accepted.why})` : "";
        return {
          line: `${severity}, ${part}: ${name} ${versions.join(", ")} (${range}): ${title}, ${url}${acceptance}`,
          fails: failing[part].has(severity) && !isAccepted,
        };
      });
  });
  return findings.sort((left, right) => Number(right.fails) - Number(left.fails));
}
