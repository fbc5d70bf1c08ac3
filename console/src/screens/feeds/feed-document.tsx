import { Button } from "@mantine/core";
import { useMemo } from "react";
import type { components } from "#operator";
import { api } from "../../api.ts";
import { useData } from "../../data.ts";
import { DocumentView } from "../../parts/document/document-view.tsx";
import { Empty } from "../../parts/loading/empty.tsx";
import { Loaded } from "../../parts/loading/loaded.tsx";
import { useMay } from "../../session.tsx";

type Feed = components["schemas"]["FeedDocument"];
type Window = components["schemas"]["FeedDocumentWindow"];

const firstRows = 400;

const readRows = (token: string, fromRow: number, rowCount: number, signal: AbortSignal) =>
  api.GET("/feed/document/{token}", { params: { path: { token }, query: { fromRow, rowCount } }, signal });

/** The received document, with each fault below its line. */
export function FeedDocument({ feed }: { readonly feed: Feed }) {
  const isOperator = useMay("operator", true);
  if (!isOperator) {
    return (
      <Empty why="A document may contain personal data and is shown to operators only. Its errors are in its ACK." />
    );
  }
  if (!feed.isPayloadKept) {
    return (
      <Empty why="The content of this document is not stored: it contained a card number, could not be read in time, or was erased with the personal data of its order." />
    );
  }
  // After a reprocessing, the faults differ, and the view starts at the first one.
  return <Kept key={`${feed.state} ${feed.settledAt}`} feed={feed} />;
}

function Kept({ feed }: { readonly feed: Feed }) {
  const first = useData(["feedDocument", feed.token], (signal) => readRows(feed.token, 1, firstRows, signal));
  return (
    <Loaded query={first} what="The document" height={520}>
      {(window) => <Shown feed={feed} window={window} />}
    </Loaded>
  );
}

function Shown({ feed, window }: { readonly feed: Feed; readonly window: Window }) {
  const { token } = feed;
  const { rowTotal } = window;
  const source = useMemo(
    () => ({
      key: ["feed", token],
      rowTotal,
      load: async (from: number, count: number, signal: AbortSignal) =>
        (await readRows(token, from, count, signal)).rows,
    }),
    [token, rowTotal],
  );
  return (
    <DocumentView
      label={`Document ${token}`}
      source={source}
      faults={feed.faults}
      actions={
        <Button
          component="a"
          size="compact-sm"
          variant="default"
          href={`/v1/operatorService/feed/bytes/${token}`}
          download={`${token}.xml`}
        >
          Download
        </Button>
      }
    />
  );
}
