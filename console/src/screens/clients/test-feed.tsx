import { Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { api, unwrap } from "../../api.ts";
import { linkTo } from "../../links.ts";
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
  readonly apiKey?: string | undefined;
}

/** Sends a small catalogue for the client; green if it is accepted. */
export function TestFeed({ clientId, apiKey }: TestFeedProps) {
  const sending = useMutation({
    mutationFn: () => (apiKey === undefined ? sendByConsole(clientId) : sendByKey(clientId, apiKey)),
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
        {data ? "Send it again" : "Send a test feed"}
      </Button>
      <span role="status" className={styles.outcome}>
        {data?.isAccepted ? <ToneBadge tone="done" text="Accepted" /> : null}
        {data && !data.isAccepted ? <ToneBadge tone="failed" text="Rejected" /> : null}
        {data && !data.isAccepted ? <span>{data.faults.join(" ")}</span> : null}
        {data && data.token !== "" ? <Go to={linkTo("feed", "", data.token)}>Open the document</Go> : null}
        {error ? <ToneBadge tone="failed" text="Not sent" /> : null}
        {error ? <span>{sentenceOf(error)}</span> : null}
      </span>
    </div>
  );
}

/** One item that occurs in no real catalogue. */
function catalogueOf(clientId: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<itemMaster>
  <clientId>${clientId}</clientId>
  <date>${new Date().toISOString()}</date>
  <item>
    <sku>CROSSDOCK-TEST</sku>
    <name>Test item, sent from the console</name>
  </item>
</itemMaster>
`;
}

async function sendByKey(clientId: string, apiKey: string): Promise<Sent> {
  const response = await fetch(`/feeds/${encodeURIComponent(clientId)}/CAT`, {
    method: "POST",
    headers: { "content-type": "application/xml", "x-api-key": apiKey },
    body: catalogueOf(clientId),
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

async function sendByConsole(clientId: string): Promise<Sent> {
  const { token, isAccepted, faults } = await unwrap(
    api.POST("/feed/send", {
      params: { query: { clientId } },
      body: { type: "CAT", document: catalogueOf(clientId) },
    }),
  );
  return { token, isAccepted, faults: faults.map(({ text }) => text) };
}
