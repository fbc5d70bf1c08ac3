import type { components } from "#operator";
import type { Column } from "../../parts/list/data-list.tsx";
import { StaticList } from "../../parts/list/static-list.tsx";

type Feed = components["schemas"]["FeedDocument"];
type Fault = components["schemas"]["FeedFault"];
type Warning = Fault & { readonly number: number };

const columns: readonly Column<Warning>[] = [
  { key: "line", kind: "number", header: "Line" },
  { key: "code", header: "Code" },
  { key: "text", header: "Warning", width: 520, cell: ({ text }) => <span title={text}>{text}</span> },
  { key: "remedy", header: "What to do", width: 440 },
];

/** Warnings, which did not reject the document and are not in its ACK. */
export function FeedWarnings({ feed }: { readonly feed: Feed }) {
  const warnings = feed.faults
    .filter(({ kind }) => kind === "warning")
    .map((fault, number): Warning => ({ ...fault, number }));
  return (
    <StaticList
      id="feed-warnings"
      label="Warnings"
      columns={columns}
      rows={warnings}
      rowId={({ number }) => String(number)}
      empty={{ why: "No warnings. Errors are in the ACK." }}
    />
  );
}
