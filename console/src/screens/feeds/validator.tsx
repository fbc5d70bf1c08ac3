import { Button, FileButton, Select, Textarea } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type DragEvent, useMemo, useState } from "react";
import { Link, useSearchParams } from "react-router";
import type { components, operations } from "#operator";
import { api, unwrap } from "../../api.ts";
import { useClients } from "../../directory.ts";
import { textSource } from "../../parts/document/document-source.ts";
import { DocumentView } from "../../parts/document/document-view.tsx";
import { Empty } from "../../parts/loading/empty.tsx";
import { Problem } from "../../parts/loading/problem.tsx";
import { Screen, Section } from "../../parts/page/screen.tsx";
import { ToneBadge } from "../../parts/state-badge.tsx";
import { useScope, withScope } from "../../scope.ts";
import { useMay } from "../../session.tsx";
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

/** Validates a pasted or dropped document against the current state. Nothing is stored. */
export function Validator() {
  const mayDo = useMay("operator");
  const [params] = useSearchParams();
  return (
    <Screen
      title="Validate a document"
      lead="The document is validated against the current schema, rules and catalogue. Nothing is stored."
      actions={
        <Button component={Link} to={withScope("/feeds", params)} variant="default" size="xs">
          All feeds
        </Button>
      }
    >
      {mayDo ? (
        <Form />
      ) : (
        <Empty why="Validation requires the role operator. Ask an operator, or send the document to /feeds/{clientId}/{type}/validate with the client's key." />
      )}
    </Screen>
  );
}

function Form() {
  const { clientId: chosen } = useScope();
  const clients = useClients();
  const [clientId, setClientId] = useState<string | null>(chosen ?? null);
  const [type, setType] = useState<FeedType>("NO");
  const [text, setText] = useState("");
  const [isOver, setOver] = useState(false);
  const [refusal, setRefusal] = useState<string>();
  const validate = useMutation({
    mutationFn: async (body: Asked) => ({ body, found: await unwrap(api.POST("/feed/validate", { body })) }),
  });
  const take = (document: string) => {
    setText(document);
    validate.reset();
    const named = types.find(({ root }) => new RegExp(`<${root}[\\s>/]`).test(document.slice(0, 4_000)));
    if (named) setType(named.value);
  };
  const takeFile = async (file: File | null | undefined) => {
    if (!file) return;
    const isTooLarge = file.size > bytesMax;
    setRefusal(isTooLarge ? `${file.name} is over 20 MiB: split it.` : undefined);
    if (!isTooLarge) take(await file.text());
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
          <Button
            size="xs"
            loading={validate.isPending}
            disabled={text.trim() === ""}
            onClick={() => validate.mutate({ type, document: text, ...(clientId === null ? {} : { clientId }) })}
          >
            Validate
          </Button>
        </div>
      </div>
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
        <Textarea
          label="Document"
          description="Paste it, or drop a file here."
          className={styles.paste ?? ""}
          value={text}
          onChange={(event) => take(event.currentTarget.value)}
          {...(refusal === undefined ? {} : { error: refusal })}
          rows={validate.data ? 6 : 16}
          spellCheck={false}
          wrap="off"
        />
      </div>
      {validate.error ? <Problem error={validate.error} what="The result" /> : null}
      {validate.data ? <Found {...validate.data} /> : null}
    </div>
  );
}

function Found({ body, found }: { readonly body: Asked; readonly found: Validation }) {
  const source = useMemo(() => textSource(["pasted", body.document], body.document), [body.document]);
  const whose = found.clientId === null ? "it names no client" : `as a document of ${found.clientId}`;
  return (
    <>
      <p className={styles.verdict} role="status">
        <ToneBadge
          tone={found.isAccepted ? "done" : "failed"}
          text={found.isAccepted ? "Would be accepted" : "Would be rejected"}
        />
        {body.type}, {whose}
        {found.objectId === null ? "" : `, about ${found.objectId}`}
      </p>
      <DocumentView label="The pasted document" source={source} faults={found.faults} height={420} />
      <Section title="ACK" note="The ACK that the sender would receive. Its token is valid for this validation only.">
        <AckText text={found.ack} />
      </Section>
    </>
  );
}
