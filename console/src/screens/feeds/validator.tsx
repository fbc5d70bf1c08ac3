import { Button, FileButton, Select } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type DragEvent, useMemo, useState } from "react";
import { Link, useSearchParams } from "react-router";
import type { components, operations } from "#operator";
import { api, request } from "../../api.ts";
import { useData } from "../../data.ts";
import { useClients } from "../../directory.ts";
import { linkTo, pathTo, repeatedParam } from "../../links.ts";
import { DocumentEditor, editableMax } from "../../parts/document/document-editor.tsx";
import { type DocumentFault, textSource } from "../../parts/document/document-source.ts";
import { DocumentView } from "../../parts/document/document-view.tsx";
import { documentName } from "../../parts/feed-words.ts";
import { Refusal } from "../../parts/form.tsx";
import { Go } from "../../parts/go.tsx";
import { Empty } from "../../parts/loading/empty.tsx";
import { Loaded } from "../../parts/loading/loaded.tsx";
import { Problem, sentenceOf } from "../../parts/loading/problem.tsx";
import { Screen, Section } from "../../parts/page/screen.tsx";
import { ToneBadge } from "../../parts/state-badge.tsx";
import { useScope, withScope } from "../../scope.ts";
import { useMay } from "../../session.tsx";
import { declaredUtf8, renumbered, repeatNumber, textOfDocument, withClient } from "./document-text.ts";
import { AckText } from "./feed-ack.tsx";
import styles from "./feeds.module.css";

type Asked = operations["validateFeed"]["requestBody"]["content"]["application/json"];
type Validation = components["schemas"]["FeedValidation"];
type FeedType = Asked["type"];

const types: readonly { readonly value: FeedType; readonly label: string; readonly root: string }[] = [
  { value: "NO", label: "NO: order", root: "orderRequest" },
  { value: "CAT", label: "CAT: catalogue", root: "itemMaster" },
  { value: "PO", label: "PO: purchase order", root: "vendorOrder" },
  { value: "RMA", label: "RMA: return", root: "returnMerchandiseAuthorization" },
];

const bytesMax = 20 * 1024 * 1024;

/** As a blob, a request does not copy 20 MiB on the main thread. */
const bodySerializer = (body: unknown) => new Blob([JSON.stringify(body)], { type: "application/json" });

/** Names the document in the address that is corrected. */
export const correctedParam = "corrected";

/**
 * Validates a pasted, dropped or rejected document against the current state. Nothing is stored until the valid
 * document is sent for its client.
 */
export function Validator() {
  const mayDo = useMay("operator", true);
  const [params] = useSearchParams();
  const token = params.get(correctedParam);
  const repeated = params.get(repeatedParam);
  return (
    <Screen
      title={token !== null ? "Correct a document" : repeated !== null ? "Repeat an order" : "Validate a document"}
      lead="The document is validated against the current schema, rules and catalogue. Nothing is stored until you send it."
      actions={
        <Button component={Link} to={withScope("/feeds", params)} variant="default" size="xs">
          All feeds
        </Button>
      }
    >
      {mayDo ? (
        token !== null ? (
          <Correction key={token} token={token} />
        ) : repeated !== null ? (
          <Repetition key={repeated} token={repeated} />
        ) : (
          <Form />
        )
      ) : (
        <Empty why="Validation requires the role operator. Ask an operator, or send the document to /feeds/{clientId}/{type}/validate with the client's key." />
      )}
    </Screen>
  );
}

/** A stored document and its text. */
const useReceived = (token: string) =>
  useData(["feedText", token], async (signal) => {
    const feed = await api.GET("/feed/get/{token}", { params: { path: { token } }, signal });
    const bytes = await (await request(pathTo("feed", "bytes", token), { signal })).arrayBuffer();
    return { feed, text: declaredUtf8(textOfDocument(bytes, feed.contentType ?? "")) };
  });

/** The first document of an order with another number, in the editor. */
function Repetition({ token }: { readonly token: string }) {
  const received = useReceived(token);
  return (
    <Loaded query={received} what="The document" height={520}>
      {({ feed: { clientId, type, objectId }, text }) => {
        const orderId = objectId ?? "";
        return (
          <>
            <p className={styles.verdict}>
              A copy of <Go to={linkTo("order", clientId, orderId)}>order {orderId}</Go> as it was first sent, with the
              number {repeatNumber(orderId)}. Leave the lines that are to be sent again.
            </p>
            <Form begun={{ clientId, type, text: renumbered(text, orderId, repeatNumber(orderId)) }} />
          </>
        );
      }}
    </Loaded>
  );
}

/** A rejected document, in the editor. */
function Correction({ token }: { readonly token: string }) {
  const received = useReceived(token);
  return (
    <Loaded query={received} what="The document" height={520}>
      {({ feed, text }) => (
        <>
          <p className={styles.verdict}>
            Rejected: <Go to={linkTo("feed", "", token)}>{documentName(feed)}</Go>
          </p>
          <Form begun={{ clientId: feed.clientId, type: feed.type, text, faults: feed.faults }} />
        </>
      )}
    </Loaded>
  );
}

interface Begun {
  readonly clientId: string;
  readonly type: FeedType;
  readonly text: string;
  /** Faults for which it was rejected. */
  readonly faults?: readonly DocumentFault[];
}

/** With the line ends of an editor: otherwise places in the text would differ after the first key. */
const edited = (text: string) => (text.length > editableMax ? text : text.replaceAll(/\r\n?/g, "\n"));

function Form({ begun }: { readonly begun?: Begun }) {
  const { clientId: chosen } = useScope();
  const clients = useClients();
  const [clientId, setClientId] = useState<string | null>(begun?.clientId ?? chosen ?? null);
  const [type, setType] = useState<FeedType>(begun?.type ?? "NO");
  const [text, setText] = useState(edited(begun?.text ?? ""));
  const isEmpty = !/\S/.test(text);
  const [isOver, setOver] = useState(false);
  const [refusal, setRefusal] = useState<string>();
  const validate = useMutation({
    mutationFn: async (body: Asked) => ({ body, found: await api.POST("/feed/validate", { body, bodySerializer }) }),
    onSuccess: ({ found }) => setFaults(found.faults),
  });
  const isChanged = validate.data !== undefined && validate.data.body.document !== text;
  const [faults, setFaults] = useState(begun?.faults);
  const change = (document: string) => {
    setText(edited(document));
    const named = types.find(({ root }) => new RegExp(`<${root}[\\s>/]`).test(document.slice(0, 4_000)));
    if (named) setType(named.value);
  };
  const take = (document: string) => {
    change(document);
    setFaults(undefined);
    validate.reset();
  };
  const takeFile = async (file: File | null | undefined) => {
    if (!file) return;
    const isTooLarge = file.size > bytesMax;
    setRefusal(isTooLarge ? `${file.name} is over 20 MiB: split it.` : undefined);
    if (!isTooLarge) take(await file.text());
  };
  const takeSample = async () => {
    try {
      const answer = await fetch(`/samples/accepted/${type}.xml`);
      if (!answer.ok) throw new Error(String(answer.status));
      const sample = await answer.text();
      setRefusal(undefined);
      take(clientId === null ? sample : withClient(sample, clientId));
    } catch {
      setRefusal("The sample could not be loaded. Try again.");
    }
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    void takeFile(event.dataTransfer.files[0]);
  };
  return (
    <div className={styles.stack}>
      <div className={styles.form}>
        <Select
          label="Client"
          placeholder="the client that it names"
          data={clients.map(({ clientId: id, name }) => ({ value: id, label: name === id ? id : `${id}: ${name}` }))}
          value={clientId}
          onChange={setClientId}
          clearable
          clearButtonProps={{ "aria-label": "Clear the client" }}
          searchable
        />
        <Select
          label="Type"
          data={types.map(({ value, label }) => ({ value, label }))}
          value={type}
          onChange={(value) => value && setType(value as FeedType)}
          allowDeselect={false}
        />
        <div className={styles.buttons}>
          <FileButton onChange={(file) => void takeFile(file)} accept="application/xml,text/xml,.xml">
            {(props) => (
              <Button {...props} variant="default" size="xs">
                Open a file
              </Button>
            )}
          </FileButton>
          <Button variant="default" size="xs" onClick={() => void takeSample()}>
            Insert a sample
          </Button>
          <Button
            size="xs"
            loading={validate.isPending}
            disabled={isEmpty}
            onClick={() => validate.mutate({ type, document: text, ...(clientId === null ? {} : { clientId }) })}
          >
            Validate
          </Button>
        </div>
        {isEmpty ? <p className={styles.reason}>Validate: the document is empty.</p> : null}
      </div>
      {validate.error ? <Problem error={validate.error} what="The result" /> : null}
      {isChanged ? <p className={styles.note}>Changed since the last validation.</p> : null}
      {validate.data && !isChanged ? <Verdict key={validate.submittedAt} {...validate.data} /> : null}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a file is dropped here; the button beside it does the same. */}
      <div
        className={styles.drop}
        data-over={isOver}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        {text.length > editableMax ? (
          <>
            <Refusal text={refusal} />
            <Held text={text} faults={faults} close={() => take("")} />
          </>
        ) : (
          <DocumentEditor
            label="Document"
            description="Paste it, or drop a file here."
            error={refusal}
            value={text}
            faults={faults}
            onChange={change}
          />
        )}
      </div>
      {validate.data && !isChanged ? <Ack text={validate.data.found.ack} /> : null}
    </div>
  );
}

/** A document that is too large for an editor: it is shown, validated and sent as it is. */
function Held({
  text,
  faults = [],
  close,
}: {
  readonly text: string;
  readonly faults?: readonly DocumentFault[] | undefined;
  close(): void;
}) {
  const source = useMemo(() => textSource(text), [text]);
  return (
    <>
      <p className={styles.note}>
        Too large to be edited here (over 512 KiB). Correct it in its file, and open the file again.
      </p>
      <DocumentView
        label="Document"
        source={source}
        faults={faults}
        height={520}
        actions={
          <Button size="compact-sm" variant="default" onClick={close}>
            Close
          </Button>
        }
      />
    </>
  );
}

/** Sends the validated document for its client. @param body without a client: the document names it */
function Sending({ body: { type, document }, clientId }: { readonly body: Asked; readonly clientId: string }) {
  const queries = useQueryClient();
  const sending = useMutation({
    mutationFn: () =>
      api.POST("/feed/send", { params: { query: { clientId } }, body: { type, document }, bodySerializer }),
    onSuccess: () => void queries.invalidateQueries(),
  });
  const { data: sent, error } = sending;
  if (sent !== undefined)
    return (
      <span className={styles.verdict} role="status">
        <ToneBadge tone={sent.isAccepted ? "done" : "failed"} text={sent.isAccepted ? "Accepted" : "Rejected"} />
        <Go to={linkTo("feed", "", sent.token)}>Open the document that was sent</Go>
      </span>
    );
  return (
    <>
      <Button size="xs" loading={sending.isPending} onClick={() => sending.mutate()}>
        Send for {clientId}
      </Button>
      {error === null ? null : <span role="alert">{sentenceOf(error)}</span>}
    </>
  );
}

function Verdict({ body, found }: { readonly body: Asked; readonly found: Validation }) {
  const maySend = useMay("operator");
  const whose = found.clientId === null ? "it names no client" : `as a document of ${found.clientId}`;
  return (
    <div className={styles.verdict}>
      <span className={styles.verdict} role="status">
        <ToneBadge
          tone={found.isAccepted ? "done" : "failed"}
          text={found.isAccepted ? "Would be accepted" : "Would be rejected"}
        />
        {body.type}, {whose}
        {found.objectId === null ? "" : `, about ${found.objectId}`}
      </span>
      {maySend && found.isAccepted && found.clientId !== null ? (
        <Sending body={body} clientId={found.clientId} />
      ) : null}
    </div>
  );
}

function Ack({ text }: { readonly text: string }) {
  return (
    <Section title="ACK" note="The ACK that the sender would receive. Its token is valid for this validation only.">
      <AckText text={text} />
    </Section>
  );
}
