import { Button } from "@mantine/core";
import { useClipboard } from "@mantine/hooks";
import { useEffect, useRef, useState } from "react";
import { Section } from "../../parts/screen.tsx";
import styles from "./clients.module.css";
import { UnkeptSecrets } from "./unkept-secrets.tsx";

/** Credentials as they are issued: of one kind, or of all. */
export interface Secrets {
  readonly clientId: string;
  readonly feed?: { readonly apiKey: string } | undefined;
  readonly oauth?: { readonly client_id: string; readonly client_secret: string } | undefined;
  readonly sftp?: { readonly username: string; readonly password?: string | undefined } | undefined;
}

/** What was issued, this once: to be read, and to be copied as a block or as `.env`. */
export function SecretsBox({ secrets, title }: { readonly secrets: Secrets; readonly title: string }) {
  const block = blockOf(secrets);
  const [kept, setKept] = useState<Secrets>();
  const keep = () => setKept(secrets);
  return (
    <Section title={title}>
      <p className={styles.once}>
        Shown only now. Hand them to the client by a way that nobody else reads: what is lost is issued anew.
      </p>
      <pre className={styles.block}>{block}</pre>
      <div className={styles.buttons}>
        <CopyText text={block} verb="Copy as a block" onCopied={keep} />
        <CopyText text={environmentOf(secrets)} verb="Copy as .env" onCopied={keep} />
      </div>
      <UnkeptSecrets areKept={kept === secrets} />
    </Section>
  );
}

interface CopyTextProps {
  readonly text: string;
  readonly verb: string;
  onCopied(): void;
}

function CopyText({ text, verb, onCopied }: CopyTextProps) {
  const { copied, copy } = useClipboard();
  const told = useRef(onCopied);
  told.current = onCopied;
  // The browser may refuse the clipboard: only what it has taken counts.
  useEffect(() => {
    if (copied) told.current();
  }, [copied]);
  return (
    <Button variant="default" size="xs" onClick={() => copy(text)}>
      {copied ? "Copied" : verb}
    </Button>
  );
}

function blockOf({ clientId, feed, oauth, sftp }: Secrets): string {
  const lines = [`Client         ${clientId}`, `Address        ${window.location.origin}`];
  if (feed) lines.push("", "Feeds over HTTP", `X-API-KEY      ${feed.apiKey}`);
  if (oauth) lines.push("", "REST", `client_id      ${oauth.client_id}`, `client_secret  ${oauth.client_secret}`);
  if (sftp) {
    lines.push("", "SFTP", `User name      ${sftp.username}`);
    lines.push(sftp.password === undefined ? "Key            as given" : `Password       ${sftp.password}`);
  }
  return lines.join("\n");
}

/** As the examples of the typed client read it. */
function environmentOf({ clientId, feed, oauth, sftp }: Secrets): string {
  const values: (readonly [string, string | undefined])[] = [
    ["CROSSDOCK_URL", window.location.origin],
    ["CROSSDOCK_CLIENT", clientId],
    ["CROSSDOCK_API_KEY", feed?.apiKey],
    ["CROSSDOCK_CLIENT_ID", oauth?.client_id],
    ["CROSSDOCK_CLIENT_SECRET", oauth?.client_secret],
    ["CROSSDOCK_SFTP_USER", sftp?.username],
    ["CROSSDOCK_SFTP_PASSWORD", sftp?.password],
  ];
  return values
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`]))
    .join("\n")
    .concat("\n");
}
