import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { createClient } from "../client.ts";
import { unwrap } from "../problem.ts";
import { type Account, type AccountPart, accountFile, readAccount, saveAccount, variables } from "./account.ts";
import type { Command } from "./command.ts";
import { UsageError } from "./usage-error.ts";

interface Question {
  readonly part: AccountPart;
  readonly text: string;
  readonly isSecret?: true;
  readonly isOptional?: true;
}

const questions: readonly Question[] = [
  { part: "url", text: "Address of the services" },
  { part: "feedUrl", text: "Address of the feeds, if different", isOptional: true },
  { part: "client", text: "Client" },
  { part: "clientId", text: "OAuth client id" },
  { part: "clientSecret", text: "OAuth client secret", isSecret: true },
  { part: "apiKey", text: "Key for feeds, if you send feeds", isSecret: true, isOptional: true },
];

export const login: Command = {
  name: "login",
  words: [],
  summary: `Checks the credentials, and saves them in a file that only you may read. Asks for what the environment does not have.`,
  async run() {
    const known = readAccount();
    const account = (process.stdin.isTTY ? await ask(known) : known) as Account;
    const missing = questions.filter(({ part, isOptional }) => !isOptional && !account[part]);
    if (missing.length > 0) {
      throw new UsageError(`set ${missing.map(({ part }) => variables[part]).join(", ")}, or log in at a terminal`);
    }
    const { url, client, clientId, clientSecret } = account;
    const rest = createClient({ baseUrl: url, clientId, clientSecret });
    const query = { clientId: client, limit: 1 };
    await unwrap(rest.orders.GET("/v1/orderService/order/list", { params: { query } }));
    console.log(`${client} at ${url}: saved in ${saveAccount(account)}`);
    return 0;
  },
};

export const logout: Command = {
  name: "logout",
  words: [],
  summary: "Deletes the saved credentials.",
  async run() {
    const { rmSync } = await import("node:fs");
    rmSync(accountFile(), { force: true });
    console.log(`${accountFile()} is deleted`);
    return 0;
  },
};

/** An empty answer keeps the value in brackets. */
async function ask(known: Partial<Account>): Promise<Partial<Account>> {
  let isHidden = false;
  const output = new Writable({
    write(chunk, _encoding, done) {
      if (!isHidden) process.stderr.write(chunk);
      done();
    },
  });
  const terminal = createInterface({ input: process.stdin, output, terminal: true });
  const account: Partial<Record<AccountPart, string>> = { ...known };
  for (const { part, text, isSecret } of questions) {
    const has = account[part] === undefined ? "" : isSecret ? " [kept]" : ` [${account[part]}]`;
    const answer = terminal.question(`${text}${has}: `);
    isHidden = isSecret === true;
    const typed = (await answer).trim();
    if (isHidden) process.stderr.write("\n");
    isHidden = false;
    if (typed !== "") account[part] = typed;
  }
  terminal.close();
  return account as Partial<Account>;
}
