// The policy on known weaknesses of packages (SECURITY.md), applied to what `npm audit --json` answers.
import { type LockFile, listShipped } from "./shipped.ts";

/** The parts of npm's report (auditReportVersion 2) that are read here. */
export interface AuditReport {
  readonly vulnerabilities: Readonly<Record<string, Vulnerability>>;
}

interface Vulnerability {
  readonly name: string;
  /** Advisories on this package itself; a text names another package of the report that this one depends on. */
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

/** An advisory that somebody has looked into and found harmless here, until a day on which it is looked into again. */
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

/** Without an answer for longer, nobody knows what is wrong with the packages. */
const silentDaysMax = 30;

/** @param answeredOn `YYYY-MM-DD`, the last day on which a source of advisories answered. */
export function judgeSilence(answeredOn: string, today: string): Finding {
  const days = Math.round((Date.parse(today) - Date.parse(answeredOn)) / 86_400_000);
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
  // Malice in a package is published as a critical advisory, and tools run on machines that can publish.
  tool: new Set(["critical"]),
} as const;

/** Each advisory once for each package it is about, the failing ones first. */
export function judgeAdvisories(
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
      .filter((each): each is Advisory => typeof each !== "string")
      .map(({ title, url, severity, range }): Finding => {
        const accepted = acceptances.find(({ advisory }) => url.endsWith(`/${advisory}`));
        const isAccepted = accepted !== undefined && today <= accepted.until;
        const said = accepted ? ` (accepted until ${accepted.until}: ${accepted.why})` : "";
        return {
          line: `${severity}, ${part}: ${name} ${versions.join(", ")} (${range}): ${title}, ${url}${said}`,
          fails: failing[part].has(severity) && !isAccepted,
        };
      });
  });
  return findings.sort((left, right) => Number(right.fails) - Number(left.fails));
}
