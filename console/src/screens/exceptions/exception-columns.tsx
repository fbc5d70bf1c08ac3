import type { Column } from "../../parts/list/data-list.tsx";
import { ToneBadge } from "../../parts/state-badge.tsx";
import { Age, Time } from "../../parts/time.tsx";
import { CureButton } from "./cure-button.tsx";
import { ObjectOf, Sentence } from "./exception-panel.tsx";
import { type Exception, typeWords } from "./exception-words.ts";

const snoozeColumn: Column<Exception> = {
  key: "snoozedUntil",
  header: "Snoozed until",
  width: 120,
  cell: ({ snoozedUntil }) => <Time at={snoozedUntil} />,
  text: ({ snoozedUntil }) => snoozedUntil ?? "",
};

/** @param isOfSnoozed the list shows snoozed exceptions, and when they come back */
export const exceptionColumns = (isOfSnoozed: boolean): readonly Column<Exception>[] => [
  {
    key: "objectName",
    header: "Object",
    width: 196,
    wraps: true,
    cell: (row) => <ObjectOf row={row} />,
    text: ({ objectName }) => objectName,
  },
  {
    key: "type",
    header: "Type",
    width: 150,
    wraps: true,
    cell: ({ type }) => <ToneBadge tone={typeWords[type].tone} text={typeWords[type].label} />,
    text: ({ type }) => typeWords[type].label,
  },
  {
    key: "summary",
    header: "What happened",
    width: 376,
    wraps: true,
    cell: (row) => <Sentence row={row} />,
    text: ({ summary }) => summary,
  },
  {
    key: "cure",
    header: "Next step",
    width: 150,
    cell: (row) => <CureButton row={row} />,
    text: ({ cure }) => cure.verb,
  },
  {
    key: "since",
    header: "Age",
    width: 104,
    sort: "since",
    isAge: true,
    cell: ({ since }) => <Age since={since} />,
    text: ({ since }) => since,
  },
  { key: "owner", header: "Owner", width: 84, cell: ({ owner }) => owner ?? "–", text: ({ owner }) => owner ?? "" },
  { key: "clientId", header: "Client", width: 78, cell: ({ clientId }) => clientId },
  {
    key: "facilityCode",
    header: "Facility",
    width: 84,
    isHiddenAtFirst: true,
    cell: ({ facilityCode }) => facilityCode ?? "–",
    text: ({ facilityCode }) => facilityCode ?? "",
  },
  ...(isOfSnoozed ? [snoozeColumn] : []),
  {
    key: "note",
    header: "Note",
    width: 200,
    wraps: true,
    isHiddenAtFirst: true,
    cell: ({ note }) => note ?? "–",
    text: ({ note }) => note ?? "",
  },
];
