import { Button, Textarea } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { AnswerOf } from "../../answer-of.ts";
import { api } from "../../api.ts";
import { productPath } from "../../links.ts";
import { CsvFileButton } from "../../parts/csv/csv-file-button.tsx";
import type { Column } from "../../parts/list/data-list.tsx";
import { StaticList } from "../../parts/list/static-list.tsx";
import { sentenceOf } from "../../parts/loading/problem.tsx";
import { Notice } from "../../parts/notice.tsx";
import { PlaceFirst } from "../../parts/page/place-first.tsx";
import { useScope } from "../../scope.ts";
import { useMay } from "../../session.tsx";
import { readCounts } from "./count-file.ts";
import styles from "./inventory.module.css";

type Item = AnswerOf<"/client/reconcile", "post">["items"][number];

const columnsOf = (clientId: string, facility: string): readonly Column<Item>[] => [
  { key: "sku", to: ({ sku }) => productPath(clientId, sku, facility) },
  { key: "theirs", kind: "quantity", header: "The client's" },
  { key: "ours", kind: "quantity", header: "Ours" },
  { key: "difference", kind: "change", header: "Difference" },
  {
    key: "movements",
    header: "Movements since both agreed",
    width: 320,
    cell: ({ movements }) => (movements.length === 0 ? "none" : `${movements.length}, see its statement`),
    text: ({ movements }) => String(movements.length),
  },
];

/** Compares the client's own counts with the ledger: the differences, and the movements since both agreed. */
export function Reconcile() {
  const { clientId, distributionCentre } = useScope();
  const [text, setText] = useState("");
  const mayDo = useMay("operator");
  const compare = useMutation({
    mutationFn: (counts: readonly { sku: string; qty: number }[]) =>
      api.POST("/client/reconcile", {
        params: { query: { clientId: clientId ?? "" } },
        body: { distributionCentre: distributionCentre ?? "", counts: [...counts] },
      }),
  });
  if (clientId === undefined || distributionCentre === undefined) {
    return (
      <PlaceFirst what="A reconciliation compares the stock of one client in one facility with your own counts." />
    );
  }
  if (!mayDo) return <p>A comparison is recorded as an agreement and requires the role operator.</p>;
  const read = text === "" ? undefined : readCounts(text);
  const differing = compare.data?.items.filter(({ difference }) => difference !== 0) ?? [];
  return (
    <div className={styles.pair}>
      <Textarea
        label={`Counts of ${clientId} in ${distributionCentre}`}
        description="A line for each SKU: SKU, comma, quantity. A CSV file exported from a spreadsheet also works."
        placeholder={"MUG-BLUE-330,120\nTEE-M,64"}
        autosize
        minRows={5}
        maxRows={14}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <div className={styles.form}>
        <CsvFileButton take={setText} />
        <Button
          size="xs"
          loading={compare.isPending}
          disabled={read === undefined || read.faults.length > 0}
          onClick={() => read && compare.mutate(read.counts)}
        >
          Compare {read?.counts.length ?? 0} SKUs
        </Button>
      </div>
      {read && read.faults.length > 0 ? (
        <Notice tone="waiting" title="These lines cannot be compared">
          {read.faults.slice(0, 10).map((fault) => (
            <div key={fault}>{fault}</div>
          ))}
        </Notice>
      ) : null}
      {compare.error ? (
        <Notice tone="failed" isAlert title="The counts were not accepted">
          {sentenceOf(compare.error)}
        </Notice>
      ) : null}
      {compare.data ? (
        <>
          <p>
            {differing.length === 0
              ? `Both sides agree on all ${compare.data.items.length} SKUs, as of position ${compare.data.position}.`
              : `${differing.length} of ${compare.data.items.length} SKUs differ, as of position ${compare.data.position}.`}
          </p>
          <StaticList
            key={compare.data.position}
            id="reconcile"
            label="Differences"
            columns={columnsOf(clientId, distributionCentre)}
            rows={differing}
            rowId={({ sku }) => sku}
            empty={{ why: "Nothing differs." }}
          />
        </>
      ) : null}
    </div>
  );
}
