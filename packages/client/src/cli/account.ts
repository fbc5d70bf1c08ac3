import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { type CrossdockClient, createClient } from "../client.ts";
import { createFeedClient, type FeedClient } from "../feeds.ts";
import { UsageError } from "./usage-error.ts";

/** Where a brand reaches Crossdock, and its credentials. */
export interface Account {
  /** Base address of the REST services. */
  readonly url: string;
  /** Base address of the feeds, if different. */
  readonly feedUrl?: string;
  /** The client's code, such as DEMO. */
  readonly client: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The key for feeds; only feed commands need it. */
  readonly apiKey?: string;
}

/** The environment variable of each part; it goes before the file. */
export const variables = {
  url: "CROSSDOCK_URL",
  feedUrl: "CROSSDOCK_FEED_URL",
  client: "CROSSDOCK_CLIENT",
  clientId: "CROSSDOCK_CLIENT_ID",
  clientSecret: "CROSSDOCK_CLIENT_SECRET",
  apiKey: "CROSSDOCK_API_KEY",
} as const satisfies Record<keyof Account, string>;

export type AccountPart = keyof typeof variables;

/** `$XDG_CONFIG_HOME/crossdock/account.json`, which only its owner may read. */
export const accountFile = () =>
  path.join(process.env.XDG_CONFIG_HOME ?? path.join(homedir(), ".config"), "crossdock", "account.json");

export function saveAccount(account: Account): string {
  const file = accountFile();
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  // A file that exists keeps its mode.
  rmSync(file, { force: true });
  writeFileSync(file, `${JSON.stringify(account, undefined, 2)}\n`, { mode: 0o600 });
  return file;
}

/** The parts of environment and file. @throws {UsageError} where the file is not JSON. */
export function readAccount(): Partial<Account> {
  const file = accountFile();
  let saved: Partial<Account> = {};
  try {
    saved = JSON.parse(readFileSync(file, "utf8")) as Partial<Account>;
  } catch (error) {
    if (error instanceof SyntaxError) throw new UsageError(`${file} is not JSON: delete it, and log in again`);
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
  const set = Object.entries(variables).flatMap(([part, name]) => {
    const value = process.env[name];
    return value === undefined || value === "" ? [] : [[part, value]];
  });
  return { ...saved, ...Object.fromEntries(set) };
}

function need<Part extends AccountPart>(
  account: Partial<Account>,
  ...parts: readonly Part[]
): Required<Pick<Account, Part>> {
  const missing = parts.filter((part) => account[part] === undefined);
  if (missing.length > 0) {
    const names = missing.map((part) => variables[part]).join(", ");
    throw new UsageError(`no ${missing.join(", ")}: log in, or set ${names}`);
  }
  return account as Required<Pick<Account, Part>>;
}

export function restClient(): { readonly client: string; readonly rest: CrossdockClient } {
  const { url, client, clientId, clientSecret } = need(readAccount(), "url", "client", "clientId", "clientSecret");
  return { client, rest: createClient({ baseUrl: url, clientId, clientSecret }) };
}

export function feedClient(): FeedClient {
  const account = readAccount();
  const { url, client, apiKey } = need(account, "url", "client", "apiKey");
  return createFeedClient({ baseUrl: account.feedUrl ?? url, clientId: client, apiKey });
}
