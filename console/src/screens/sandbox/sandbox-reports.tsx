import { Table } from "@mantine/core";
import { Empty } from "../../parts/loading/empty.tsx";
import { Section } from "../../parts/page/screen.tsx";
import { ToneBadge } from "../../parts/state-badge.tsx";
import { Time } from "../../parts/time.tsx";
import styles from "./sandbox.module.css";
import { type Report, type SandboxFacility, stepWord } from "./sandbox-words.ts";

const shownMax = 40;

const outcomes: Readonly<Record<Report["outcome"], readonly ["done" | "failed" | "waiting", string]>> = {
  TAKEN: ["done", "Accepted"],
  REFUSED: ["failed", "Refused"],
  FAILED: ["waiting", "Failed"],
};

/** The reports to the port, over all facilities. */
export function SandboxReports({ facilities }: { readonly facilities: readonly SandboxFacility[] }) {
  const rows = facilities
    .flatMap(({ facilityCode, reports }) => reports.map((report) => ({ facilityCode, report })))
    .toSorted((left, right) => right.report.at.localeCompare(left.report.at))
    .slice(0, shownMax);
  return (
    <Section title="Latest reports" note="Reports sent to the warehouse port, and its answers.">
      {rows.length === 0 ? (
        <Empty why="No reports since the simulated warehouse started." />
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard.
        <section className={styles.scroll} aria-label="Reports to the port" tabIndex={0}>
          <Table aria-label="Latest reports" className={styles.cards} stickyHeader verticalSpacing={4}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>When</Table.Th>
                <Table.Th>What</Table.Th>
                <Table.Th>Answer</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {rows.map(({ facilityCode, report }) => (
                <ReportRow
                  key={`${report.at} ${report.objectId} ${report.action}`}
                  facilityCode={facilityCode}
                  report={report}
                />
              ))}
            </Table.Tbody>
          </Table>
        </section>
      )}
    </Section>
  );
}

function ReportRow({ facilityCode, report }: { readonly facilityCode: string; readonly report: Report }) {
  const { at, action, clientId, objectId, outcome, reason } = report;
  const [tone, word] = outcomes[outcome];
  return (
    <Table.Tr>
      <Table.Td className={styles.time}>
        <Time at={at} facility={facilityCode} />
      </Table.Td>
      <Table.Td>
        {stepWord(action)}
        <div className={styles.dim}>
          {clientId} {objectId} at {facilityCode}
        </div>
      </Table.Td>
      <Table.Td>
        <ToneBadge tone={tone} text={word} />
        {reason === null ? null : <div className={styles.reason}>{reason}</div>}
      </Table.Td>
    </Table.Tr>
  );
}
