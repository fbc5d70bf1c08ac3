import { Button, Group } from "@mantine/core";
import { api } from "../../../api.ts";
import { ActionButton } from "../../../parts/actions/action-button.tsx";
import { Notice } from "../../../parts/notice.tsx";
import { useSetParams } from "../../../scope.ts";
import { useMay } from "../../../session.tsx";
import type { CarrierData } from "../carrier-data.ts";
import { nothing, useDraft } from "./draft.tsx";
import { DraftChangeList } from "./draft-change-list.tsx";

const findingsShown = 8;

/** Status of the draft, and its activation. Hidden if nothing was edited. */
export function DraftBar() {
  const { owner, held, data, isChanged, faults, warnings, operatorDraft, discard } = useDraft();
  const mayActivate = useMay("admin");
  const setParams = useSetParams();
  if (!isChanged && operatorDraft !== undefined)
    return (
      <Notice tone="waiting" title="The draft of the operator's carrier data is kept">
        <p>You see what {owner} has. The back-test can still use the operator's draft.</p>
        <Group>
          <Button variant="default" size="xs" onClick={() => setParams({ client: null })}>
            Back to the operator's draft
          </Button>
        </Group>
      </Notice>
    );
  if (!isChanged) return null;
  const whose = owner === undefined ? "the operator's carrier data" : `carrier data of ${owner}`;
  const isSound = faults?.length === 0;
  const findings = [...(faults ?? []), ...warnings];
  return (
    <Notice
      tone={isSound ? "moving" : "waiting"}
      title={
        faults === undefined
          ? "A draft that is being validated"
          : isSound
            ? "Draft, not active yet"
            : `A draft with ${faults.length} faults`
      }
    >
      <p>
        It is not in force yet: it exists only in this tab of the browser. The decision tester and the back-test use it.
        {mayActivate ? "" : " Only an administrator can activate it."}
      </p>
      <DraftChangeList before={(held?.data ?? nothing) as CarrierData} after={data} />
      {warnings.length === 0 ? null : <p>Read before you activate it:</p>}
      {findings.length === 0 ? null : (
        <ul>
          {findings.slice(0, findingsShown).map(({ pointer, message }) => (
            <li key={`${pointer} ${message}`}>
              <code>{pointer}</code> {message}
            </li>
          ))}
        </ul>
      )}
      <Group gap="xs">
        <ActionButton
          verb="Activate"
          role="admin"
          isPrimary
          title={`Activate ${whose}`}
          text={`The draft replaces the data in force at once, for every new determination. Version ${held?.version ?? 0} is kept and can become the draft again.`}
          fields={[{ name: "note", label: "What changed", placeholder: "New prices of November" }]}
          whyNot={isSound ? undefined : "Fix its errors first."}
          run={async ({ note = "" }) => {
            await api.POST("/carrierData/activate", {
              body: {
                ...(owner === undefined ? {} : { clientId: owner }),
                ...(note === "" ? {} : { note }),
                basedOn: held?.latestVersion ?? 0,
                data,
              },
            });
            discard();
          }}
          done="The new version is in force."
        />
        <Button variant="default" size="xs" onClick={discard}>
          Discard draft
        </Button>
      </Group>
    </Notice>
  );
}
