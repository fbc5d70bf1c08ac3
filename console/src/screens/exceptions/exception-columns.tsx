import type { Column } from "../../parts/list/data-list.tsx";
import { ToneBadge } from "../../parts/state-badge.tsx";
import { CureButton } from "./cure-button.tsx";
import { ObjectOf, Sentence } from "./exception-panel.tsx";
import { type Exception, typeWords } from "./exception-words.ts";

const snoozeColumn: Column<Exception> = { key: "snoozedUntil", kind: "moment", header: "Snoozed until" };

/** @param isOfSnoozed the list shows snoozed exceptions, and when they come back */
export const exceptionColumns = (isOfSnoozed: boolean): readonly Column<Exception>[] => [
  { key: "objectName", header: "Object", width: 196, wraps: true, cell: (row) => <ObjectOf row={row} /> },
  {
    key: "type",
    header: "Type",
    width: 150,
    wraps: true,
    cell: ({ type }) => <ToneBadge tone={typeWords[type].tone} text={typeWords[type].label} />,
    text: ({ type }) => typeWords[type].label,
  },
  { key: "summary", header: "What happened", width: 326, wraps: true, cell: (row) => <Sentence row={row} /> },
  {
    key: "cure",
    header: "Next step",
    width: 168,
    wraps: true,
    cell: (row) => <CureButton row={row} />,
    text: ({ cure }) => cure.verb,
  },
  { key: "since", kind: "age", header: "Age", sort: "since", isAge: true },
  { key: "owner" },
  { key: "clientId" },
  { key: "facilityCode", isHiddenAtFirst: true },
  ...(isOfSnoozed ? [snoozeColumn] : []),
  { key: "note", header: "Note", width: 240, wraps: true, isHiddenAtFirst: true },
];
