import { Group, Modal, Stack, Text, UnstyledButton } from "@mantine/core";
import { useState } from "react";
import { ActionButton } from "../../parts/action-button.tsx";
import { Facts } from "../../parts/facts.tsx";
import { Id } from "../../parts/id.tsx";
import { ToneBadge } from "../../parts/state-badge.tsx";
import { Time } from "../../parts/time.tsx";
import { useMay, useSession } from "../../session.tsx";
import { CureButton, wayOf } from "./cure-button.tsx";
import { assign, forceReport, ownerField, remark, resolve, useOwners } from "./exception-actions.ts";
import { type Exception, nameOf, typeWords } from "./exception-words.ts";
import styles from "./exceptions.module.css";

/** The sentence of a row. Expanded, it is complete and shows all actions. */
export function Sentence({ row }: { readonly row: Exception }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <UnstyledButton className={styles.sentence} title={row.summary} onClick={() => setOpen(true)}>
        {row.note === null ? row.summary : `${row.note} · ${row.summary}`}
      </UnstyledButton>
      <Modal
        opened={isOpen}
        onClose={() => setOpen(false)}
        title={nameOf(row)}
        size="lg"
        closeButtonProps={{ "aria-label": "Close" }}
      >
        {isOpen ? <Panel row={row} /> : null}
      </Modal>
    </>
  );
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
          { name: "Object", value: <Id text={row.objectId} to={wayOf(row)} /> },
          { name: "Client", value: row.clientId },
          { name: "Facility", value: row.facilityCode ?? "–" },
          { name: "Since", value: <Time at={row.since} isExact facility={row.facilityCode ?? undefined} /> },
          { name: "Owner", value: row.owner ?? "Nobody yet" },
          { name: "Note", value: row.note ?? "–" },
        ]}
      />
      {mayWork ? <Actions row={row} /> : null}
    </Stack>
  );
}

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
          confirm={{
            title: `Force the report of ${row.objectId}`,
            text: "Every hold of the order is lifted and the report is sent again, both or neither. What goods and stock forbid stays refused.",
          }}
          run={() => forceReport(row)}
          done={`The report of ${row.objectId} was accepted.`}
          isDestructive
        />
      ) : null}
      {isMine ? (
        <ActionButton verb="Give back" size="xs" run={() => assign([row], undefined)} done="It is nobody’s again." />
      ) : (
        <ActionButton verb="Assign to me" size="xs" run={() => assign([row], userName)} done="It is yours now." />
      )}
      <ActionButton
        verb="Assign to"
        size="xs"
        confirm={{ title: `Assign ${nameOf(row)}`, text: undefined }}
        fields={[ownerField(owners, row.owner ?? "")]}
        run={({ owner = "" }) => assign([row], owner === "" ? undefined : owner)}
        done="It is assigned."
      />
      <ActionButton
        verb="Note"
        size="xs"
        fields={[
          {
            ...{ name: "note", label: "Note", kind: "lines", initial: row.note ?? "" },
            description: "For everybody who looks at it. Empty takes it away.",
          },
        ]}
        run={({ note = "" }) => remark([row], note)}
      />
      <ActionButton
        verb="Resolve"
        size="xs"
        confirm={{
          title: `Resolve ${nameOf(row)}`,
          text: "It is not shown any more until it comes anew. What is so is not changed by that.",
        }}
        fields={[{ name: "reason", label: "Why nothing more is to be done", isRequired: true }]}
        run={({ reason = "" }) => resolve([row], reason)}
        done="It is put aside."
      />
    </Group>
  );
}
