import { Button, Group } from "@mantine/core";
import { api, unwrap } from "../../api.ts";
import { ActionButton } from "../../parts/action-button.tsx";
import { Notice } from "../../parts/notice.tsx";
import { useSetParams } from "../../scope.ts";
import { useMay } from "../../session.tsx";
import { useDraft } from "./draft.tsx";

/** Status of the draft, and its activation. Hidden if nothing was edited. */
export function DraftBar() {
  const { owner, held, data, isChanged, faults, operatorDraft, discard } = useDraft();
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
  return (
    <Notice
      tone={isSound ? "moving" : "waiting"}
      title={
        faults === undefined
          ? "A draft that is being judged"
          : isSound
            ? "A draft that may hold"
            : `A draft with ${faults.length} faults`
      }
    >
      <p>
        It holds for nobody yet: it is kept in this tab of the browser. The decision tester and the back-test use it.
        {mayActivate ? "" : " To make it hold takes an administrator."}
      </p>
      {isSound ? null : (
        <ul>
          {faults?.slice(0, 8).map(({ pointer, message }) => (
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
          confirm={{
            title: `Activate ${whose}`,
            text: `It holds at once, whole, for every determination from now on. Version ${held?.version ?? 0} stays, and can be made the draft again.`,
          }}
          fields={[{ name: "note", label: "What changed", placeholder: "New prices of November" }]}
          whyNot={isSound ? undefined : "Its faults have to be mended first."}
          run={async ({ note = "" }) => {
            await unwrap(
              api.POST("/carrierData/activate", {
                body: {
                  ...(owner === undefined ? {} : { clientId: owner }),
                  ...(note === "" ? {} : { note }),
                  basedOn: held?.latestVersion ?? 0,
                  data,
                },
              }),
            );
            discard();
          }}
          done="The new version holds."
        />
        <Button variant="default" size="xs" onClick={discard}>
          Discard draft
        </Button>
      </Group>
    </Notice>
  );
}
