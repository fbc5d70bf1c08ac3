import type { components } from "#operator";
import { api } from "../../api.ts";
import { useData } from "../../data.ts";
import { ActionButton } from "../../parts/actions/action-button.tsx";
import { CopyText } from "../../parts/copy-text.tsx";
import type { Column } from "../../parts/list/data-list.tsx";
import { StaticList } from "../../parts/list/static-list.tsx";
import { Empty } from "../../parts/loading/empty.tsx";
import { Loaded } from "../../parts/loading/loaded.tsx";
import { Section } from "../../parts/page/screen.tsx";
import { Time } from "../../parts/time.tsx";
import styles from "./clients.module.css";

type Certificate = components["schemas"]["ClientCertificate"];
type Case = Certificate["cases"][number];

const columns: readonly Column<Case>[] = [
  { key: "title", header: "Case", width: 200 },
  { key: "status", states: "certificate" },
  { key: "task", header: "What the brand does", width: 320, wraps: true },
  { key: "evidence", header: "What was seen", width: 300, wraps: true },
  { key: "seenAt", header: "Seen" },
];

interface GoingLiveProps {
  readonly clientId: string;
  readonly isIssued: boolean;
}

/** The certificate of a client: the cases of going live, judged by what the platform saw of it. */
export function GoingLive({ clientId, isIssued }: GoingLiveProps) {
  return (
    <Section
      title="Going live"
      note={
        <>
          What the platform saw of the brand's own program in the last 14 days. The brand issues the same certificate by
          REST: <a href="/docs/going-live">Going live</a>.
        </>
      }
    >
      {isIssued ? (
        <Issued clientId={clientId} />
      ) : (
        <Empty why="No certificate has been issued." action={<Judge clientId={clientId} verb="Judge the cases" />} />
      )}
    </Section>
  );
}

function Judge({ clientId, verb }: { readonly clientId: string; readonly verb: string }) {
  return (
    <ActionButton
      isForDevelopers
      verb={verb}
      title={`Judge what ${clientId} has shown`}
      text="Each active webhook, at most five, gets a signed test and one with a wrong signature. The result replaces the earlier one."
      run={() => api.POST("/client/certificate/create", { body: { clientId } })}
      done={({ isComplete }) => (isComplete ? `${clientId} has shown every case.` : `${clientId} has open cases.`)}
    />
  );
}

function Issued({ clientId }: { readonly clientId: string }) {
  const certificate = useData(["certificate", clientId], (signal) =>
    api.GET("/client/certificate/get", { params: { query: { clientId } }, signal }),
  );
  return (
    <Loaded query={certificate} what="The certificate" height={360}>
      {(found) => (
        <div className={styles.form}>
          <p>
            {summaryOf(found)} · <Time at={found.issuedAt} /> · {found.environment} · version {found.platformVersion}
          </p>
          <div className={styles.buttons}>
            <Judge clientId={clientId} verb="Judge again" />
            <CopyText text={found.signature} verb="Copy signed result" onCopied={() => undefined} />
          </div>
          <StaticList<Case>
            id="certificate-cases"
            label="Cases"
            columns={columns}
            rows={found.cases}
            rowId={({ caseId }) => caseId}
            empty={{ why: "There are no cases." }}
          />
        </div>
      )}
    </Loaded>
  );
}

function summaryOf({ cases, isComplete }: Certificate): string {
  const passed = cases.filter(({ status }) => status === "PASSED").length;
  return isComplete ? "Complete" : `${passed} of ${cases.length} cases passed`;
}
