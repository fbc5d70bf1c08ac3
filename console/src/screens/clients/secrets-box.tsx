import { useState } from "react";
import { CopyText } from "../../parts/copy-text.tsx";
import { Section } from "../../parts/page/screen.tsx";
import { UnkeptSecrets } from "../../parts/unkept-secrets.tsx";
import { type Session, useSession } from "../../session.tsx";
import styles from "./clients.module.css";

/** Newly issued credentials: of one kind, or of all. */
export interface Secrets {
  readonly clientId: string;
  readonly feed?: { readonly apiKey: string } | undefined;
  readonly oauth?: { readonly client_id: string; readonly client_secret: string } | undefined;
  readonly sftp?: { readonly username: string; readonly password?: string | undefined } | undefined;
}

/** Credentials issued in one step. */
export interface Issue {
  /** Number among the shown ones. */
  readonly number: number;
  readonly title: string;
  readonly secrets: Secrets;
}

/** New credentials, shown once, to be copied as text or as `.env`. The newest comes first. */
export function IssuedSecrets({ issues }: { readonly issues: readonly Issue[] }) {
  const [kept, setKept] = useState<ReadonlySet<Issue>>(new Set());
  return (
    <>
      {issues.map((issue) => (
        <SecretsBox key={issue.number} {...issue} keep={() => setKept((before) => new Set([...before, issue]))} />
      ))}
      <UnkeptSecrets areKept={issues.every((issue) => kept.has(issue))} />
    </>
  );
}

function SecretsBox({ secrets, title, keep }: Issue & { keep(): void }) {
  const places = placesOf(useSession().addresses);
  const block = blockOf(secrets, places);
  return (
    <Section title={title}>
      <p className={styles.once}>
        Shown only now. Give them to the client over a private channel. If they are lost, issue new ones.
      </p>
      <pre className={styles.block}>{block}</pre>
      <div className={styles.buttons}>
        <CopyText text={block} verb="Copy as a block" onCopied={keep} />
        <CopyText text={environmentOf(secrets, places)} verb="Copy as .env" onCopied={keep} />
      </div>
    </Section>
  );
}

/** Addresses of the deployment for the client's systems. */
interface Places {
  readonly base: string;
  readonly feed: string;
  readonly auth: string;
  /** undefined: unknown here. */
  readonly sftp: string | undefined;
}

function placesOf({ base, feed, auth, sftpPort }: Session["addresses"]): Places {
  const { origin, hostname } = window.location;
  const sftp = sftpPort === null ? undefined : `sftp://${hostname}:${sftpPort}`;
  return { base: base ?? origin, feed: feed ?? origin, auth: auth ?? origin, sftp };
}

function blockOf({ clientId, feed, oauth, sftp }: Secrets, places: Places): string {
  const lines = [`Client         ${clientId}`];
  if (feed) lines.push("", "Feeds over HTTP", `Address        ${places.feed}/feeds/${clientId}/{CAT|PO|RMA|NO}`);
  if (feed) lines.push(`X-API-KEY      ${feed.apiKey}`);
  if (oauth) {
    lines.push("", "REST", `Address        ${places.base}/v1`, `Token          ${places.auth}/v1/oauth/token`);
    lines.push(`client_id      ${oauth.client_id}`, `client_secret  ${oauth.client_secret}`);
  }
  if (sftp) {
    lines.push("", "SFTP", ...(places.sftp === undefined ? [] : [`Address        ${places.sftp}`]));
    lines.push(`User name      ${sftp.username}`);
    lines.push(sftp.password === undefined ? "Key            as given" : `Password       ${sftp.password}`);
  }
  return lines.join("\n");
}

/** The variables that the examples of the typed client read. */
function environmentOf({ clientId, feed, oauth, sftp }: Secrets, places: Places): string {
  const values: (readonly [string, string | undefined])[] = [
    ["CROSSDOCK_URL", places.base],
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
