import { Anchor, Button, Modal } from "@mantine/core";
import { useState } from "react";
import type { components } from "#operator";
import { api, request } from "../../api.ts";
import { useData } from "../../data.ts";
import { linkTo, pathTo, pathWith } from "../../links.ts";
import { Go } from "../../parts/go.tsx";
import type { Column } from "../../parts/list/data-list.tsx";
import { StaticList } from "../../parts/list/static-list.tsx";
import { Loaded } from "../../parts/loading/loaded.tsx";
import { Time } from "../../parts/time.tsx";
import { wordOf } from "../../parts/tones.ts";
import type { Order } from "./order-words.ts";
import styles from "./orders.module.css";

type Paper = components["schemas"]["ClientDocument"];

const pageRows = 500;

const pathOf = (clientId: string, { documentId }: Paper) =>
  pathWith(pathTo("client", "document", "get", documentId), { clientId });

/** All documents of an order, of which one parcel may have the last. */
async function listPapers({ clientId, orderId }: OrderOfPapers, signal: AbortSignal): Promise<readonly Paper[]> {
  const papers: Paper[] = [];
  let cursor: string | null = null;
  do {
    const query = { clientId, limit: pageRows, ...(cursor === null ? {} : { cursor }) };
    const params = { path: { orderId }, query };
    const page: components["schemas"]["ClientDocumentPage"] = await api.GET("/client/document/list/{orderId}", {
      params,
      signal,
    });
    papers.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return papers;
}

type OrderOfPapers = Pick<Order, "clientId" | "orderId" | "distributionCentre">;

interface OrderDocumentsProps {
  readonly order: OrderOfPapers;
  /** Only the documents of this parcel and of the whole order. */
  readonly olpnId?: string;
}

/** Packing slips, labels and invoices. A PDF or image opens in a separate tab; ZPL, which is text, is shown here. */
export function OrderDocuments({ order, olpnId }: OrderDocumentsProps) {
  const { clientId, orderId } = order;
  const papers = useData(["order-documents", clientId, orderId], (signal) => listPapers(order, signal));
  const isShown = (paper: Paper) => olpnId === undefined || paper.olpnId === olpnId || paper.olpnId === null;
  return (
    <Loaded query={papers} what="The documents">
      {(all) => <Papers order={order} papers={all.filter(isShown)} />}
    </Loaded>
  );
}

const columnsOf = ({ clientId, distributionCentre }: OrderOfPapers): readonly Column<Paper>[] => [
  { key: "type", kind: "word", header: "Paper", width: 160 },
  {
    key: "olpnId",
    header: "Parcel",
    width: 180,
    none: "whole order",
    cell: ({ olpnId }) => (olpnId === null ? "whole order" : <Go to={linkTo("parcel", clientId, olpnId)}>{olpnId}</Go>),
  },
  { key: "language", header: "Language", width: 96 },
  { key: "contentType", header: "Form", width: 84, of: ({ contentType }) => contentType.split("/")[1]?.toUpperCase() },
  { key: "size", kind: "number", header: "Size", of: ({ size }) => `${Math.ceil(size / 1024)} KiB` },
  {
    key: "createdAt",
    header: "Created",
    cell: ({ createdAt }) => <Time at={createdAt} facility={distributionCentre} />,
  },
  { key: "open", header: "Open", width: 170, cell: (paper) => <Open clientId={clientId} paper={paper} /> },
];

function Papers({ order, papers }: { readonly order: OrderOfPapers; readonly papers: readonly Paper[] }) {
  const { clientId, orderId } = order;
  return (
    <StaticList
      id="order-documents"
      label="Documents of the order"
      columns={columnsOf(order)}
      rows={papers}
      rowId={({ documentId }) => documentId}
      empty={{
        why: "No papers yet. Slip, label and invoice are printed when the order is packed.",
        action: <Go to={linkTo("order", clientId, orderId)}>What the order waits for</Go>,
      }}
    />
  );
}

function Open({ clientId, paper }: { readonly clientId: string; readonly paper: Paper }) {
  const [isOpen, setOpen] = useState(false);
  const name = wordOf(paper.type).toLowerCase();
  if (paper.contentType !== "application/zpl") {
    return (
      <Anchor href={`/v1/operatorService${pathOf(clientId, paper)}`} target="_blank" rel="noreferrer" inherit>
        Open {name}
      </Anchor>
    );
  }
  return (
    <>
      <Button variant="default" size="compact-sm" onClick={() => setOpen(true)}>
        Show {name}
      </Button>
      <Modal opened={isOpen} onClose={() => setOpen(false)} title={`ZPL of the ${name}`} size="lg">
        {isOpen ? <Zpl path={pathOf(clientId, paper)} /> : null}
      </Modal>
    </>
  );
}

function Zpl({ path }: { readonly path: string }) {
  const text = useData(["document", path], async (signal) => (await request(path, { signal })).text());
  return (
    <Loaded query={text} what="The label">
      {(zpl) => (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard.
        <pre className={styles.zpl} tabIndex={0}>
          {zpl}
        </pre>
      )}
    </Loaded>
  );
}
