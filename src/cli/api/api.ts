/** `crossdock api`: every operation of a running server, by the owner of its data directory or by a token. */

import { masterKeyOf } from "#/app/secrets/master-key.ts";
import { printable } from "#/cli/ack-report.ts";
import {
  type ApiDocument,
  findOperation,
  keysOf,
  type Operation,
  operationsOf,
  requestOf,
} from "#/cli/api/document.ts";
import { columns, table } from "#/cli/columns.ts";
import { type Call, done, misuse, type Outcome, type Refusal, refuse } from "#/cli/command.ts";
import { actorOfTerminal, readCallersFile } from "#/cli/context.ts";
import { localServer } from "#/cli/local-server.ts";
import { sealLocalOwner } from "#/console-api/access/local-owner.ts";
import type { Config } from "#/kernel/config/config.ts";
import { ok, type Result } from "#/kernel/result.ts";
import { createSecretBox } from "#/kernel/security/secret-box.ts";
import { minuteMs } from "#/kernel/values/durations.ts";

const answerMsMax = minuteMs;
const documentMsMax = 10_000;
/** Items of one list that `--all` reads. */
const itemsMax = 100_000;

interface Api {
  readonly url: string;
  readonly operations: readonly Operation[];
  /** Made for each request: the key of the owner is short-lived. */
  authorization(): string;
}

export const apiList = (call: Call): Promise<Outcome> =>
  withApi(call, async ({ operations }) => {
    const words = call.argumentList("WORD").map((word) => word.toLowerCase());
    const found = operations.filter(({ name, summary, description = "", path }) =>
      words.every((word) => `${name} ${summary} ${description} ${path}`.toLowerCase().includes(word)),
    );
    const rows = found.map(({ name, method, summary }) => ({ name, method, summary }));
    return done(
      rows,
      table(
        ["OPERATION", "METHOD", "DOES"],
        rows.map(({ name, method, summary }) => [name, method, summary]),
        "No operation has these words.",
      ),
    );
  });

export const apiShow = (call: Call): Promise<Outcome> =>
  withApi(call, async ({ operations }) => {
    const found = findOperation(operations, call.argument("OPERATION"));
    if (!found.ok) return found;
    const { name, method, path, summary, description } = found.value;
    const keys = keysOf(found.value);
    return done({ name, method, path, summary, description, keys: keys.map(([key, form]) => ({ key, form })) }, [
      `${name}: ${summary}`,
      `${method} ${path}`,
      ...(description === undefined ? [] : ["", description]),
      ...(keys.length === 0 ? [] : ["", ...columns(keys)]),
    ]);
  });

export const api = (call: Call): Promise<Outcome> =>
  withApi(call, async (server) => {
    const found = findOperation(server.operations, call.argument("OPERATION"));
    if (!found.ok) return found;
    const body = bodyOf(call);
    if (!body.ok) return body;
    const request = requestOf(found.value, call.argumentList("KEY=VALUE"), body.value);
    if (!request.ok) return request;
    const { target, headers, ...init } = request.value;
    const items: unknown[] = [];
    for (let next = target; ; ) {
      const response = await fetch(server.url + next, {
        ...init,
        headers: { ...headers, authorization: server.authorization() },
        signal: AbortSignal.timeout(answerMsMax),
      });
      const type = response.headers.get("content-type") ?? "";
      if (!/\bjson\b/.test(type)) {
        // A paper, a document or a file: its bytes, so that they can be redirected into a file.
        process.stdout.write(await response.bytes());
        return response.ok ? done(null, []) : refuse(`the server answers ${response.status}`);
      }
      const answer = (await response.json()) as Page & Problem;
      if (!response.ok) return refuse(sentenceOf(response.status, answer));
      if (!Array.isArray(answer.items)) return done(answer, linesOf(answer));
      items.push(...answer.items);
      const cursor = answer.nextCursor ?? undefined;
      if (cursor === undefined || !call.flag("all") || items.length >= itemsMax) {
        const notes = cursor === undefined ? [] : [`More follow: add --all, or cursor=${cursor}`];
        return done({ ...answer, items }, linesOf(items), notes);
      }
      const url = new URL(next, server.url);
      url.searchParams.set("cursor", cursor);
      next = url.pathname + url.search;
    }
  });

interface Page {
  readonly items?: readonly unknown[];
  readonly nextCursor?: string | null;
}

interface Problem {
  readonly title?: string;
  readonly detail?: string;
  readonly errors?: readonly { readonly pointer: string; readonly message: string }[];
}

function sentenceOf(status: number, { title, detail, errors = [] }: Problem): string {
  const faults = errors.map(({ pointer, message }) => `\n  ${pointer} ${message}`).join("");
  return `${status}: ${detail ?? title ?? "refused"}${faults}`;
}

function bodyOf(call: Call): Result<unknown, Refusal> {
  const file = call.option("body");
  if (file === undefined) return ok(undefined);
  const read = readCallersFile(file);
  if (!read.ok) return read;
  try {
    return ok(JSON.parse(read.value.toString()));
  } catch (error) {
    return refuse(`${file} is not JSON: ${(error as Error).message}`);
  }
}

/** The server, and the operations that the caller may name: the console's for the owner, those of all services for a token. */
export async function withApi(call: Call, work: (server: Api) => Promise<Outcome>): Promise<Outcome> {
  const token = call.option("token");
  const named = call.option("url");
  // The key of the owner goes to the owner's server only.
  if (named !== undefined && token === undefined) return misuse("--url needs --token");
  const local = named === undefined ? localServer() : undefined;
  if (local?.ok === false) return local;
  const key = token === undefined && local ? ownerKey(local.value.config) : ok(() => `Bearer ${token}`);
  if (!key.ok) return key;
  const url = (named ?? local?.value.welcome.url ?? "").replace(/\/+$/, "");
  try {
    const index = await getJson<{ items: readonly { name: string; url: string }[] }>(url, "/openapi");
    const isWanted = (name: string) => (name === "operator") === (token === undefined);
    const documents = index.items.filter(({ name }) => isWanted(name));
    const read = await Promise.all(documents.map((document) => getJson<ApiDocument>(url, document.url)));
    return await work({ url, operations: operationsOf(read), authorization: key.value });
  } catch (error) {
    const { cause, message } = error as Error;
    if (!(error instanceof TypeError) && (error as Error).name !== "TimeoutError") throw error;
    const why = cause instanceof Error ? cause.message || (cause as NodeJS.ErrnoException).code : message;
    return refuse(`no server answers at ${url} (${why}): start it with npm start`);
  }
}

async function getJson<Answer>(url: string, path: string): Promise<Answer> {
  const response = await fetch(url + path, { signal: AbortSignal.timeout(documentMsMax) });
  return (await response.json()) as Answer;
}

function ownerKey(config: Config): Result<() => string, Refusal> {
  try {
    const secretBox = createSecretBox(masterKeyOf(config), config.secretPrevious);
    return ok(() => sealLocalOwner(secretBox, actorOfTerminal(), Date.now()));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return refuse(`the master key in ${config.dataDir} cannot be read (${code}): use --token`);
  }
}

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isEmpty = (value: unknown) =>
  value === null || value === undefined || (Array.isArray(value) && value.length === 0);

/** Cells of a table are cut at this length: `--json` has all of a text. */
const cellMax = 60;

/** An answer of the API as lines for a person: a list as a table, an object as its fields. */
function linesOf(answer: unknown): string[] {
  if (Array.isArray(answer)) return tableOf(answer);
  if (!isFields(answer)) return [String(answer)];
  if (Array.isArray(answer.items)) return tableOf(answer.items);
  const flat = flattened(answer);
  const lists = Object.entries(flat).filter(([, value]) => isList(value) && value.length > 0);
  const facts = Object.entries(flat).filter(([, value]) => !isList(value) && !isEmpty(value));
  return [
    ...columns(facts.map(([name, value]) => [name, textOf(value)])),
    ...lists.flatMap(([name, rows]) => ["", `${name}:`, ...tableOf(rows as readonly Fields[])]),
  ];
}

const isList = (value: unknown): value is readonly Fields[] => Array.isArray(value) && value.every(isFields);

/** The fields of inner objects by their path: `shipToAddress.city`. */
function flattened(fields: Fields, prefix = ""): Record<string, unknown> {
  return Object.assign(
    {},
    ...Object.entries(fields).map(([name, value]) =>
      isFields(value) ? flattened(value, `${prefix}${name}.`) : { [prefix + name]: value },
    ),
  );
}

/** Columns that are empty, zero or false in every row, and lists inside rows, are left out: `--json` has them. */
function tableOf(items: readonly unknown[]): string[] {
  const rows = items.map((item) => (isFields(item) ? flattened(item) : { value: item }));
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))].filter((name) =>
    rows.some((row) => !isEmpty(row[name]) && row[name] !== 0 && row[name] !== false && !isList(row[name])),
  );
  return table(
    names,
    rows.map((row) => names.map((name) => (isList(row[name]) ? "" : short(textOf(row[name]))))),
    "There is nothing.",
  );
}

function textOf(value: unknown): string {
  if (isEmpty(value)) return "-";
  return printable(Array.isArray(value) ? value.map(String).join(", ") : String(value));
}

const short = (text: string) => (text.length > cellMax ? `${text.slice(0, cellMax - 1)}…` : text);
