import { Group, Modal, Stack, Text, UnstyledButton } from "@mantine/core";
import { useState } from "react";
import { ActionButton } from "../../parts/actions/action-button.tsx";
import { Go } from "../../parts/go.tsx";
import { Id } from "../../parts/id.tsx";
import { Facts } from "../../parts/page/facts.tsx";
import { clientFact, facilityFact } from "../../parts/page/place-facts.tsx";
import { ToneBadge } from "../../parts/state-badge.tsx";
import { Time } from "../../parts/time.tsx";
import { useMay, useSession } from "../../session.tsx";
import { CureButton, linkOf } from "./cure-button.tsx";
import {
  assign,
  forceReport,
  ownerField,
  remark,
  resolve,
  snooze,
  snoozeFields,
  snoozeText,
  useOwners,
} from "./exception-actions.ts";
import { type Exception, isSnoozed, nameOf, typeWords } from "./exception-words.ts";
import styles from "./exceptions.module.css";
import { snoozeEnd } from "./snooze-times.ts";

/** The sentence of a row. Expanded, it is complete and shows all actions. */
export function Sentence({ row }: { readonly row: Exception }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <UnstyledButton className={styles.sentence} title={row.summary} onClick={() => setOpen(true)}>
        {row.note === null ? row.summary : `${row.note} · ${row.summary}`}
      </UnstyledButton>
      <Modal opened={isOpen} onClose={() => setOpen(false)} title={nameOf(row)} size="lg">
        {isOpen ? <Panel row={row} /> : null}
      </Modal>
    </>
  );
}

/** The object with a link: by its identifier, or by its name where that is what people call it. */
export function ObjectOf({ row }: { readonly row: Exception }) {
  const { objectId, objectName } = row;
  return objectName === objectId ? <Id text={objectId} to={linkOf(row)} /> : <Go to={linkOf(row)}>{objectName}</Go>;
}

function Panel({ row }: { readonly row: Exception }) {
  const { label, tone } = typeWords[row.type];
  const mayWork = useMay("operator");
  return (
    <Stack gap="md">
      <Text>{row.summary}</Text>
      <Facts
        facts={[
          { name: "Type", value: <ToneBadge tone={tone} text={label} /> },
          { name: "Object", value: <ObjectOf row={row} /> },
          clientFact(row.clientId),
          facilityFact(row.facilityCode),
          { name: "Since", value: <Time at={row.since} isExact facility={row.facilityCode ?? undefined} /> },
          { name: "Owner", value: row.owner ?? "Unassigned" },
          { name: "Note", value: row.note ?? "–" },
          {
            name: isSnoozed(row) ? "Snoozed" : "Was snoozed",
            value:
              row.snoozedUntil === null ? undefined : (
                <>
                  by {row.snoozedBy} until <Time at={row.snoozedUntil} timezone={zoneOfUser} isExact />
                </>
              ),
          },
        ]}
      />
      {mayWork ? <Actions row={row} /> : null}
    </Stack>
  );
}

/** Times of a snooze were chosen in the time zone of a user, not in that of a facility. */
const zoneOfUser = Intl.DateTimeFormat().resolvedOptions().timeZone;

function Actions({ row }: { readonly row: Exception }) {
  const { userName } = useSession();
  const owners = useOwners();
  const isMine = row.owner === userName;
  return (
    <Group gap="xs">
      <CureButton row={row} />
      {row.type === "REPORT_REFUSED" ? (
        <ActionButton
          verb="Force report"
          size="xs"
          title={`Force the report of ${row.objectId}`}
          text="Releases every hold of the order and processes the report again, in one transaction. A report that contradicts goods or stock is still refused."
          run={() => forceReport(row)}
          done={`The report of ${row.objectId} was accepted.`}
          isDestructive
        />
      ) : null}
      {isMine ? (
        <ActionButton verb="Give back" size="xs" run={() => assign([row], null, "The exception is unassigned.")} />
      ) : (
        <ActionButton
          verb="Assign to me"
          size="xs"
          run={() => assign([row], userName, "The exception is assigned to you.")}
        />
      )}
      <ActionButton
        verb="Assign to"
        size="xs"
        title={`Assign ${nameOf(row)}`}
        text={undefined}
        fields={[ownerField(owners, row.owner ?? "")]}
        run={({ owner = "" }) =>
          owner === ""
            ? assign([row], null, "The exception is unassigned.")
            : assign([row], owner, `The exception is assigned to ${owner}.`)
        }
      />
      <ActionButton
        verb="Note"
        size="xs"
        fields={[
          {
            name: "note",
            label: "Note",
            kind: "lines",
            initial: row.note ?? "",
            description: "Visible to all users. Leave empty to remove the note.",
          },
        ]}
        run={({ note = "" }) => remark([row], note)}
      />
      <ActionButton
        verb="Snooze"
        size="xs"
        title={`Snooze ${nameOf(row)}`}
        text={snoozeText}
        fields={snoozeFields()}
        run={(values) => snooze([row], snoozeEnd(values, new Date()))}
        done="The exception is snoozed."
      />
      {isSnoozed(row) ? (
        <ActionButton
          verb="End snooze"
          size="xs"
          run={() => snooze([row], undefined)}
          done="The exception is open again."
        />
      ) : null}
      <ActionButton
        verb="Resolve"
        size="xs"
        title={`Resolve ${nameOf(row)}`}
        text="It is hidden until it occurs again. Its cause is not fixed by this."
        fields={[{ name: "reason", label: "Why no action is needed", isRequired: true }]}
        run={async ({ reason = "" }) => resolve([row], reason)}
      />
    </Group>
  );
}
