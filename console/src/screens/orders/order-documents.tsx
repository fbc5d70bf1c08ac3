import { Anchor, Button, Modal } from "@mantine/core";
import { useState } from "react";
import type { components } from "#operator";
import { api, request, unwrap } from "../../api.ts";
import { useData } from "../../data.ts";
import { linkTo } from "../../links.ts";
import { Go } from "../../parts/go.tsx";
import { Empty } from "../../parts/loading/empty.tsx";
import { Loaded } from "../../parts/loading/loaded.tsx";
import { Time } from "../../parts/time.tsx";
import { wordOf } from "../../parts/tones.ts";
import type { Order } from "./order-words.ts";
import styles from "./orders.module.css";

type Paper = components["schemas"]["ClientDocument"];

const pageRows = 500;

const pathOf = (clientId: string, { documentId }: Paper) =>
  `/client/document/get/${documentId}?clientId=${encodeURIComponent(clientId)}`;

/** All documents of an order, of which one parcel may have the last. */
async function listPapers({ clientId, orderId }: OrderOfPapers, signal: AbortSignal): Promise<readonly Paper[]> {
  const papers: Paper[] = [];
  let cursor: string | null = null;
  do {
    const query = { clientId, limit: pageRows, ...(cursor === null ? {} : { cursor }) };
    const params = { path: { orderId }, query };
    const page: components["schemas"]["ClientDocumentPage"] = await unwrap(
      api.GET("/client/document/list/{orderId}", { params, signal }),
    );
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

function Papers({ order, papers }: { readonly order: OrderOfPapers; readonly papers: readonly Paper[] }) {
  const { clientId, orderId } = order;
  if (papers.length === 0) {
    const lines = <Go to={linkTo("order", clientId, orderId)}>What the order waits for</Go>;
    return <Empty why="No papers yet. Slip, label and invoice are printed when the order is packed." action={lines} />;
  }
  return (
    <div className={styles.wide}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">Paper</th>
            <th scope="col">Parcel</th>
            <th scope="col">Language</th>
            <th scope="col">Form</th>
            <th scope="col" data-align="right">
              Size
            </th>
            <th scope="col">Created</th>
            <th scope="col">Open</th>
          </tr>
        </thead>
        <tbody>
          {papers.map((paper) => (
            <tr key={paper.documentId}>
              <td>{wordOf(paper.type)}</td>
              <td>
                {paper.olpnId === null ? (
                  "whole order"
                ) : (
                  <Go to={linkTo("parcel", clientId, paper.olpnId)}>{paper.olpnId}</Go>
                )}
              </td>
              <td>{paper.language ?? "–"}</td>
              <td>{paper.contentType.split("/")[1]?.toUpperCase()}</td>
              <td data-align="right">{Math.ceil(paper.size / 1024)} KiB</td>
              <td>
                <Time at={paper.createdAt} facility={order.distributionCentre} />
              </td>
              <td>
                <Open clientId={clientId} paper={paper} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
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
      <Modal
        opened={isOpen}
        onClose={() => setOpen(false)}
        title={`ZPL of the ${name}`}
        size="lg"
        closeButtonProps={{ "aria-label": "Close" }}
      >
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
