import type { components } from "#operator";
import { type Column, DataList } from "../../parts/list/data-list.tsx";

type Feed = components["schemas"]["FeedDocument"];
type Fault = components["schemas"]["FeedFault"];
type Warning = Fault & { readonly number: number };

const columns: readonly Column<Warning>[] = [
  { key: "line", header: "Line", width: 80, align: "right", cell: ({ line }) => line ?? "–" },
  { key: "code", header: "Code", width: 140, cell: ({ code }) => code },
  { key: "text", header: "Warning", width: 520, cell: ({ text }) => <span title={text}>{text}</span> },
  { key: "remedy", header: "What to do", width: 440, cell: ({ remedy }) => remedy ?? "–" },
];

/** Warnings, which did not reject the document and are not in its ACK. */
export function FeedWarnings({ feed }: { readonly feed: Feed }) {
  const warnings = feed.faults
    .filter(({ kind }) => kind === "warning")
    .map((fault, number): Warning => ({ ...fault, number }));
  return (
    <DataList
      id="feed-warnings"
      label="Warnings"
      isPlain
      scope={[]}
      fixed={{ of: `${feed.token} ${feed.state}` }}
      columns={columns}
      fetchPage={async () => ({ items: warnings })}
      rowId={({ number }) => String(number)}
      empty={{ why: "No warnings. Errors are in the ACK." }}
    />
  );
}
