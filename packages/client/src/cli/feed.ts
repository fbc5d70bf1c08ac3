import { readFileSync } from "node:fs";
import { type Acknowledgement, FeedError, type FeedType } from "../feeds.ts";
import { roots } from "../generated/feeds.ts";
import { feedClient } from "./account.ts";
import { type Call, type Command, optionOf } from "./command.ts";
import { UsageError } from "./usage-error.ts";

/** Exit codes: what a program that runs the command does next. */
const exit = { accepted: 0, rejected: 1, refused: 2, unknown: 3 };

export const feedSend: Command = {
  name: "feed send",
  words: ["FILE"],
  summary: "Sends a document: CAT, PO, RMA or NO, by its root element. FILE may be - for the standard input.",
  options: { key: { type: "string" }, json: { type: "boolean" } },
  help: {
    key: "Idempotency key: the document counts once, and is sent again after a lost answer",
    json: "the acknowledgement as JSON",
  },
  run: (call) =>
    answered(call, (type, bytes) => {
      const idempotencyKey = optionOf(call, "key");
      return feedClient().send(type, bytes, {
        signal: call.signal,
        ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
      });
    }),
};

export const feedValidate: Command = {
  name: "feed validate",
  words: ["FILE"],
  summary: "Answers what the acknowledgement of the document would be; stores nothing.",
  options: { json: { type: "boolean" } },
  help: { json: "the acknowledgement as JSON" },
  run: (call) => answered(call, (type, bytes) => feedClient().validate(type, bytes, { signal: call.signal })),
};

async function answered(
  call: Call,
  send: (type: FeedType, bytes: Uint8Array<ArrayBuffer>) => Promise<Acknowledgement>,
): Promise<number> {
  const [file = ""] = call.words;
  // The bytes as they are: the document may declare another encoding than UTF-8.
  const bytes = Uint8Array.from(readFileSync(file === "-" ? 0 : file));
  const type = typeOf(bytes);
  if (type === undefined) {
    throw new UsageError(`${file}: the root element is none of ${Object.values(roots).join(", ")}`);
  }
  try {
    const ack = await send(type, bytes);
    if (call.options.json === true) console.log(JSON.stringify(ack));
    else print(ack);
    return ack.success ? exit.accepted : exit.rejected;
  } catch (error) {
    if (error instanceof UsageError || call.signal.aborted) throw error;
    console.error(error instanceof Error ? error.message : String(error));
    return error instanceof FeedError && error.status < 500 && error.status !== 429 ? exit.refused : exit.unknown;
  }
}

/** The type by the root element, also of a document that is not well formed further down. */
function typeOf(bytes: Uint8Array): FeedType | undefined {
  const text = new TextDecoder(encodingOf(bytes)).decode(bytes);
  const root = /<([A-Za-z][\w.-]*)/.exec(text.replace(/<!--[\s\S]*?-->/g, ""))?.[1];
  return (Object.keys(roots) as FeedType[]).find((type) => roots[type] === root);
}

/** Enough to read the root element: all other encodings of documents have ASCII as UTF-8 has it. */
function encodingOf([first, second]: Uint8Array): string {
  if (first === 0xff || second === 0) return "utf-16le";
  return first === 0xfe || first === 0 ? "utf-16be" : "utf-8";
}

function print({ success, feedType, objectId, token, errors, missingSkus }: Acknowledgement): void {
  console.log(
    `${feedType} ${objectId ?? ""} ${success ? "accepted" : "rejected"}, token ${token}`.replace(/ {2,}/g, " "),
  );
  for (const error of errors) console.log(`  ${error}`);
  if (missingSkus.length > 0) console.log(`  unknown SKUs: ${missingSkus.join(", ")}`);
}
