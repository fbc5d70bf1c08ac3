import { createHmac, randomBytes } from "node:crypto";
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { type EventLogOptions, events, type LoggedEvent } from "../events.ts";
import { restClient } from "./account.ts";
import { type Call, type Command, optionOf } from "./command.ts";
import { UsageError } from "./usage-error.ts";

const filters = { topic: { type: "string" }, since: { type: "string" } } as const;
const filterHelp = {
  topic: "one topic, a group such as order:*, or * for all",
  since: "from this time, such as 2026-11-20T10:00:00Z; now by default",
};
const followMs = 1_000;

export const eventsTail: Command = {
  name: "events tail",
  words: [],
  summary: "Prints the events of the client as they happen, one JSON object a line.",
  options: { ...filters, cursor: { type: "string" }, once: { type: "boolean" } },
  help: {
    ...filterHelp,
    cursor: "a file that keeps the place between runs: every event is printed at least once",
    once: "ends at the end of the log",
  },
  async run(call) {
    const file = optionOf(call, "cursor");
    const cursor = file === undefined ? undefined : savedCursor(file);
    const save = file === undefined ? {} : { save: (next: string) => saveCursor(file, next) };
    const follow = call.options.once === true ? {} : { followMs };
    const { rest } = restClient();
    const log = events(rest, {
      ...queryOf(call, cursor === undefined),
      cursor,
      ...save,
      ...follow,
      signal: call.signal,
    });
    for await (const event of log) console.log(JSON.stringify(event));
    return 0;
  },
};

export const webhookListen: Command = {
  name: "webhook listen",
  words: [],
  summary: "Forwards the events of the client to an address on this machine, signed as a push, until Ctrl-C.",
  options: { ...filters, "forward-to": { type: "string" }, secret: { type: "string" } },
  help: {
    ...filterHelp,
    "forward-to": "the address of your receiver, such as http://127.0.0.1:9000/hooks",
    secret: "the signing secret that the receiver knows; by default a new one is printed",
  },
  async run(call) {
    const url = optionOf(call, "forward-to");
    if (url === undefined) throw new UsageError("name your receiver with --forward-to");
    const secret = optionOf(call, "secret") ?? `whsec_${randomBytes(24).toString("base64")}`;
    console.error(`Signing secret: ${secret}`);
    const { rest } = restClient();
    for await (const event of events(rest, { ...queryOf(call, true), followMs, signal: call.signal })) {
      console.log(`${event.type} ${event.objectId}: ${await forward(url, secret, event, call.signal)}`);
    }
    return 0;
  },
};

function queryOf(call: Call, isNew: boolean): Pick<EventLogOptions, "clientId" | "topicName" | "since"> {
  const topicName = optionOf(call, "topic");
  const since = optionOf(call, "since") ?? (isNew ? new Date().toISOString() : undefined);
  if (since !== undefined && Number.isNaN(Date.parse(since))) throw new UsageError(`--since ${since} is no time`);
  return {
    clientId: restClient().client,
    ...(topicName === undefined ? {} : { topicName }),
    ...(since === undefined ? {} : { since: new Date(since).toISOString() }),
  };
}

/** @returns the status of the answer, or why there is none. */
async function forward(url: string, secret: string, event: LoggedEvent, signal: AbortSignal): Promise<string> {
  const { position, ...push } = event;
  const body = JSON.stringify(push);
  const time = String(Math.floor(Date.now() / 1000));
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const mac = createHmac("sha256", key).update(`${event.id}.${time}.${body}`).digest("base64");
  const headers = {
    "content-type": "application/json",
    "webhook-id": event.id,
    "webhook-timestamp": time,
    "webhook-signature": `v1,${mac}`,
    "crossdock-sequence": String(event.sequence),
  };
  try {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(30_000)]);
    const response = await fetch(url, { method: "POST", headers, body, signal: limit });
    await response.body?.cancel();
    return String(response.status);
  } catch (error) {
    const { cause, message } = error as Error;
    return cause instanceof Error ? cause.message : message;
  }
}

function savedCursor(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8").trim() || undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** Whole or not at all: a program that is killed here has the old cursor. */
function saveCursor(file: string, cursor: string): void {
  writeFileSync(`${file}.new`, `${cursor}\n`);
  renameSync(`${file}.new`, file);
}
