import { Anchor, Button, Modal } from "@mantine/core";
import { useState } from "react";
import type { components } from "#operator";
import { api, request, unwrap } from "../../api.ts";
import { useData } from "../../data.ts";
import { Empty } from "../../parts/empty.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { Time } from "../../parts/time.tsx";
import { wordOf } from "../../parts/tones.ts";
import type { Order } from "./order-words.ts";
import styles from "./orders.module.css";

type Paper = components["schemas"]["ClientDocument"];

const papersMax = 100;

const pathOf = (clientId: string, { documentId }: Paper) =>
  `/client/document/get/${documentId}?clientId=${encodeURIComponent(clientId)}`;

/** Packing slips, labels and invoices. A PDF or image opens in a separate tab; ZPL, which is text, is shown here. */
export function OrderDocuments({ order }: { readonly order: Order }) {
  const { clientId, orderId } = order;
  const papers = useData(["order-documents", clientId, orderId], (signal) => {
    const params = { path: { orderId }, query: { clientId, limit: papersMax } };
    return unwrap(api.GET("/client/document/list/{orderId}", { params, signal }));
  });
  return (
    <Loaded query={papers} what="The documents">
      {({ items }) =>
        items.length === 0 ? (
          <Empty why="No papers yet. Slip, label and invoice are printed when the order is packed." />
        ) : (
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
                {items.map((paper) => (
                  <tr key={paper.documentId}>
                    <td>{wordOf(paper.type)}</td>
                    <td>{paper.olpnId ?? "whole order"}</td>
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
        )
      }
    </Loaded>
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
