import { Modal, Stack, Text, UnstyledButton } from "@mantine/core";
import { useState } from "react";
import { linkTo } from "../../links.ts";
import { ActionButton } from "../../parts/actions/action-button.tsx";
import { Go } from "../../parts/go.tsx";
import type { Column } from "../../parts/list/data-list.tsx";
import { ToneBadge } from "../../parts/state-badge.tsx";
import {
  type Cause,
  type CauseQuery,
  countText,
  exceptionsText,
  isShared,
  membersOf,
  membersPath,
} from "./cause-words.ts";
import { CureButton, linkOf, useMayCure } from "./cure-button.tsx";
import { cureAll } from "./exception-actions.ts";
import { ObjectOf, Sentence } from "./exception-panel.tsx";
import { typeWords } from "./exception-words.ts";
import styles from "./exceptions.module.css";

/** The page of the object that causes the exceptions, or of the only exception. */
export const causePath = (cause: Cause): string =>
  isShared(cause) ? linkTo(cause.objectType, cause.newest.clientId, cause.objectId) : linkOf(cause.newest);

function ownerText({ owner, unassigned, count }: Cause): string {
  if (owner !== null) return owner;
  return unassigned === count ? "–" : "several";
}

const snoozeColumn: Column<Cause> = { key: "snoozedUntil", kind: "moment", header: "Snoozed until" };

/** @param query the filters of the list, which an action on a cause keeps */
export const causeColumns = (query: CauseQuery): readonly Column<Cause>[] => [
  {
    key: "objectName",
    header: "Cause",
    width: 192,
    wraps: true,
    cell: (row) => (isShared(row) ? <Go to={causePath(row)}>{row.objectName}</Go> : <ObjectOf row={row.newest} />),
  },
  {
    key: "count",
    kind: "number",
    header: "Count",
    sort: "count",
    cell: (row) =>
      isShared(row) ? (
        <Go to={membersPath(row)} label={`Show the ${exceptionsText([row])} of ${row.objectName}`}>
          {countText(row)}
        </Go>
      ) : (
        "1"
      ),
    text: countText,
  },
  {
    key: "type",
    header: "Type",
    width: 150,
    sort: "severity",
    isAscendingFirst: true,
    wraps: true,
    cell: ({ newest: { type } }) => <ToneBadge tone={typeWords[type].tone} text={typeWords[type].label} />,
    text: ({ newest: { type } }) => typeWords[type].label,
  },
  {
    key: "summary",
    header: "What happened",
    width: 268,
    wraps: true,
    cell: (row) => (isShared(row) ? <CauseSentence cause={row} /> : <Sentence row={row.newest} />),
  },
  {
    key: "cure",
    header: "Next step",
    width: 168,
    wraps: true,
    cell: (row) => (isShared(row) ? <CauseCure cause={row} query={query} /> : <CureButton row={row.newest} />),
    text: ({ newest: { cure } }) => cure.verb,
  },
  { key: "oldest", kind: "age", header: "Oldest", sort: "since", isAge: true, isAscendingFirst: true },
  { key: "owner", of: ownerText },
  { key: "clientId", of: ({ newest }) => newest.clientId },
  ...(query.isSnoozed === true ? [snoozeColumn] : []),
  { key: "newest", kind: "age", header: "Newest", isHiddenAtFirst: true, of: ({ newest: { since } }) => since },
];

/** One button for all exceptions of a cause; where each needs a look, the link to them. */
function CauseCure({ cause, query }: { readonly cause: Cause; readonly query: CauseQuery }) {
  const { newest, objectName } = cause;
  const mayCure = useMayCure(newest.type);
  const { operation } = newest.cure;
  if (operation === null || !mayCure)
    return (
      <Go to={membersPath(cause)} label={`Show them one by one: ${exceptionsText([cause])} of ${objectName}`}>
        Show them
      </Go>
    );
  const { verb } = operation;
  return (
    <ActionButton
      verb={`${verb} × ${countText(cause)}`}
      size="xs"
      title={`${verb}: ${exceptionsText([cause])} of ${objectName}`}
      text={`${cause.summary} Each one is done on its own; a refusal does not stop the others.`}
      run={async () => cureAll(await membersOf([cause], query))}
    />
  );
}

/** The sentence of a cause. Expanded, it is complete and leads to the exceptions. */
function CauseSentence({ cause }: { readonly cause: Cause }) {
  const [isOpen, setOpen] = useState(false);
  const { summary, objectName, newest } = cause;
  return (
    <>
      <UnstyledButton className={styles.sentence} title={summary} onClick={() => setOpen(true)}>
        {summary}
      </UnstyledButton>
      <Modal
        opened={isOpen}
        onClose={() => setOpen(false)}
        title={`${typeWords[newest.type].label}: ${objectName}`}
        size="lg"
      >
        <Stack gap="md">
          <Text>{summary}</Text>
          <Text>The newest: {newest.summary}</Text>
          <Go to={membersPath(cause)}>Show the {exceptionsText([cause])}, one by one</Go>
        </Stack>
      </Modal>
    </>
  );
}
