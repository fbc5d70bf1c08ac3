import { Button } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../api.ts";
import { linkTo, pathTo } from "../../links.ts";
import { Go } from "../../parts/go.tsx";
import { sentenceOf } from "../../parts/loading/problem.tsx";
import { ToneBadge } from "../../parts/state-badge.tsx";
import styles from "./clients.module.css";

interface Sent {
  readonly token: string;
  readonly isAccepted: boolean;
  /** Reasons of the rejection. */
  readonly faults: readonly string[];
}

interface TestFeedProps {
  readonly clientId: string;
  /**
   * If present, the document is sent over HTTP with this key, like the client's own. A success then proves the key as
   * well. Without it, the console sends the document.
   */
  readonly apiKey: string | undefined;
}

/** Sends a small catalogue for the client, then an order of its item; green if it is accepted. */
export function TestFeed({ clientId, apiKey }: TestFeedProps) {
  const [hasItem, setHasItem] = useState(false);
  const by = { clientId, apiKey };
  return (
    <>
      <TestDocument
        {...by}
        verb="Send a test feed"
        compose={() => ({ type: "CAT", document: catalogueOf(clientId) })}
        onAccepted={() => setHasItem(true)}
      />
      {hasItem ? <TestDocument {...by} verb="Send a test order" compose={() => orderOf(clientId)} /> : null}
    </>
  );
}

interface Composed {
  readonly type: "CAT" | "NO";
  readonly document: string;
  /** The order of the document. */
  readonly orderId?: string;
}

interface TestDocumentProps extends TestFeedProps {
  readonly verb: string;
  compose(): Composed;
  onAccepted?(): void;
}

function TestDocument({ clientId, apiKey, verb, compose, onAccepted }: TestDocumentProps) {
  const queries = useQueryClient();
  const sending = useMutation({
    mutationFn: async () => {
      const composed = compose();
      const send = apiKey === undefined ? sendByConsole(clientId, composed) : sendByKey(clientId, apiKey, composed);
      return { ...(await send), orderId: composed.orderId };
    },
    onSuccess: ({ isAccepted }) => {
      if (isAccepted) onAccepted?.();
      void queries.invalidateQueries();
    },
  });
  const { data, error, isPending } = sending;
  return (
    <div className={styles.outcome}>
      <Button
        size="xs"
        variant={data?.isAccepted ? "default" : "filled"}
        loading={isPending}
        onClick={() => sending.mutate()}
      >
        {data ? `${verb} again` : verb}
      </Button>
      <span role="status" className={styles.outcome}>
        {data?.isAccepted ? <ToneBadge tone="done" text="Accepted" /> : null}
        {data && !data.isAccepted ? <ToneBadge tone="failed" text="Rejected" /> : null}
        {data && !data.isAccepted ? <span>{data.faults.join(" ")}</span> : null}
        {data && data.token !== "" ? <Go to={linkTo("feed", "", data.token)}>Open the document</Go> : null}
        {data?.isAccepted && data.orderId !== undefined ? (
          <Go to={linkTo("order", clientId, data.orderId)}>Open order {data.orderId}</Go>
        ) : null}
        {error ? <ToneBadge tone="failed" text="Not sent" /> : null}
        {error ? <span>{sentenceOf(error)}</span> : null}
      </span>
    </div>
  );
}

/** An item that occurs in no real catalogue. */
const testSku = "CROSSDOCK-TEST";

const catalogueOf = (clientId: string) => `<?xml version="1.0" encoding="UTF-8"?>
<itemMaster>
  <clientId>${clientId}</clientId>
  <date>${new Date().toISOString()}</date>
  <item>
    <sku>${testSku}</sku>
    <name>Test item, sent from the console</name>
  </item>
</itemMaster>
`;

/** An order that is held at once, so that no warehouse works on it. Its number contains the time: each one is new. */
function orderOf(clientId: string): Composed {
  const at = new Date().toISOString();
  const orderId = `TEST-${at.replace(/\D/g, "").slice(0, 14)}`;
  const document = `<?xml version="1.0" encoding="UTF-8"?>
<orderRequest>
  <orderId>${orderId}</orderId>
  <clientId>${clientId}</clientId>
  <doNotShip>true</doNotShip>
  <orderDate>${at}</orderDate>
  <shipToAddress>
    <companyName>Test order, sent from the console</companyName>
    <address1>1 Harbour Road</address1>
    <city>Bristol</city>
    <zip>BS1 5TY</zip>
    <country>GB</country>
  </shipToAddress>
  <lines>
    <line>
      <lineNumber>1</lineNumber>
      <sku>${testSku}</sku>
      <qty>1</qty>
    </line>
  </lines>
</orderRequest>
`;
  return { type: "NO", document, orderId };
}

async function sendByKey(clientId: string, apiKey: string, { type, document }: Composed): Promise<Sent> {
  const response = await fetch(pathTo("feeds", clientId, type), {
    method: "POST",
    headers: { "content-type": "application/xml", "x-api-key": apiKey },
    body: document,
    credentials: "omit",
  });
  const answer = new DOMParser().parseFromString(await response.text(), "application/xml");
  const textOf = (name: string) => answer.querySelector(name)?.textContent ?? "";
  return {
    token: textOf("token"),
    isAccepted: textOf("success") === "true",
    faults: [...answer.querySelectorAll("errors > error")].map(({ textContent }) => textContent ?? ""),
  };
}

async function sendByConsole(clientId: string, { type, document }: Composed): Promise<Sent> {
  const { token, isAccepted, faults } = await api.POST("/feed/send", {
    params: { query: { clientId } },
    body: { type, document },
  });
  return { token, isAccepted, faults: faults.map(({ text }) => text) };
}
