// The contents of docs/acknowledgements.md for each code: the refused samples with their cures, and causes at a shell.
import { readFileSync } from "node:fs";
import { rowsOf } from "#/console-api/feeds/document/document-rows.ts";
import { placeFaults } from "#/console-api/feeds/validator/fault-places.ts";
import { readSentence } from "#/intake/feeds/fault-words.ts";
import type { FeedCode } from "#/kernel/feed-codes.ts";
import { guideCatalogue } from "#/sandbox/demo/greeting.ts";
import { refusedSamples } from "../xsd/exhibits.ts";

/** The cure of each refused sample, in the sender's terms. */
export const cures: Readonly<Record<string, string>> = {
  "CAT-attribute-twice": "A name may occur once. Put several values into one attribute, or use several names.",
  "CAT-attribute-without-name": "Give it a `name`.",
  "CAT-barcode-tag": "`<barcode>`, once for each.",
  "CAT-client-id-too-long": "Send the identifier that the operator gave you: it is in the path, too.",
  "CAT-date-without-offset": "Write the offset: `2026-11-03T08:00:00Z` or `…+01:00`.",
  "CAT-dimension-unit": "Convert to one of the units allowed.",
  "CAT-ean-of-another-sku":
    "Correct the EAN; or move it by sending both items, this one with it and the other one without, in one CAT.",
  "CAT-ean-twice": "An EAN belongs to one item.",
  "CAT-empty-sku": "Leave the item out until it has a SKU.",
  "CAT-kit-component-twice": "Add up the quantities in one component.",
  "CAT-kit-of-kits": "Name the components of the other kit instead.",
  "CAT-kit-unknown-component": "Correct the SKU, or send its item in the same CAT.",
  "CAT-nesting": "No feed is nested so deeply: look at what writes the document.",
  "CAT-no-sku": "Every item has a `sku`, also one that has an EAN.",
  "CAT-not-well-formed": "Write XML with a library, which closes what it opens.",
  "CAT-unknown-country": "Two or three letters of ISO 3166-1.",
  "CAT-weight-without-unit": "Send the `weightUomCode` with every weight.",
  "CAT-weight-unit": "Convert to one of the units allowed.",
  "NO-bill-to-postcode": "Ask the buyer; check the field in your shop by the same formats.",
  "NO-cancel-unknown": "The order was never accepted here: nothing needs to be cancelled.",
  "NO-card-number": "Never send card numbers. `tender` takes words such as `VISA`. Nothing of this document is kept.",
  "NO-country-name": "`IT` or `ITA`.",
  "NO-dtd": "Leave `<!DOCTYPE …>` out.",
  "NO-duplicate-identical":
    "Nothing: it came before, and that one is in effect. An `Idempotency-Key` gets the first ACK instead.",
  "NO-duplicate": "Another order: another `orderId`. The same order changed: `actionType` `UPDATE`.",
  "NO-half-a-piece": "Whole pieces; or another `StockUom`, such as `KGM`, in the CAT.",
  "NO-line-number-twice": "Number the lines of a document without repeats.",
  "NO-no-qty": "Every line has a `qty`.",
  "NO-nobody": "Send the buyer's name, or the company's.",
  "NO-nothing-to-send": "Send the whole order. Only a CANCEL goes without them.",
  "NO-qty-not-a-number": "Digits and a point: `3`, `2.5`.",
  "NO-ship-to-postcode": "Ask the buyer; check the field in your shop by the same formats.",
  "NO-stale": "Nothing: a newer revision is in effect. If this one is right, send it with a higher `Revision`.",
  "NO-two-currencies": "One currency for the whole order.",
  "NO-two-problems": "Both are reported at once: correct both.",
  "NO-unknown-attribute": "The currency belongs into `unit`.",
  "NO-unknown-country": "Two or three letters of ISO 3166-1.",
  "NO-unknown-currency": "Three letters of ISO 4217.",
  "NO-stock-pool": "Correct the name, leave the element out for `DEFAULT`, or ask the operator to add the pool.",
  "NO-unknown-facility": "A facility of yours, or leave it out: then the order is routed.",
  "NO-unknown-sku": "Send a CAT with the SKU, then the very same document again.",
  "NO-unknown-unit": "A unit of the item; or add `Uom.PAL` to it by a CAT.",
  "NO-wrong-root": "The root of an NO is `orderRequest`.",
  "PO-action": "`UPDATE` replaces header and lines.",
  "PO-carton-check-digit": "18 digits as on the label; the last one is computed from the others.",
  "PO-carton-elsewhere": "A carton is announced once: correct the number, or cancel the other purchase order.",
  "PO-carton-too-much": "Correct the quantity or its `qtyUom`; of goods that were not ordered send a line.",
  "PO-duplicate": "Another shipping notice: another `vendorOrderId`. The same one changed: `actionType` `UPDATE`.",
  "PO-empty": "The file was empty: look at what writes it.",
  "PO-no-lines": "Send the lines; to end the purchase order send `CANCEL`.",
  "PO-other-client": "The path, the key and the document are of one client.",
  "PO-stale": "A `Revision` that is higher than the one before.",
  "PO-unknown-element": "`line`. Data without an element go into `extendedAttributes`.",
  "PO-unknown-facility": "A facility of yours.",
  "PO-unknown-skus": "Mind the case: `mug-blue-330` is not `MUG-BLUE-330`. Send a CAT with those that are new.",
  "PO-update-unknown": "Send it as `NEW`.",
  "RMA-tab-in-sku": "Write identifiers without tabs and line breaks.",
  "RMA-duplicate": "Another return: another `rmaNumber`.",
  "RMA-encoding": "Write UTF-8.",
  "RMA-line-number-twice": "Number the lines of a document without repeats.",
  "RMA-unknown-facility": "A facility of yours.",
  "RMA-unknown-order": "The `orderId` as it was sent; or leave `orderReference` out.",
  "RMA-unknown-sku": "Send a CAT with the SKU, then the very same document again.",
};

export interface SampleFault {
  /** `NO-no-qty`. */
  readonly name: string;
  readonly code: string;
  readonly sentence: string;
  /** The first line of the document that the sentence refers to, verbatim. */
  readonly excerpt: string;
}

const unescaped = (text: string) =>
  text.replace(
    /&(lt|gt|quot|apos|amp);/g,
    (_, name: string) => ({ lt: "<", gt: ">", quot: '"', apos: "'", amp: "&" })[name] ?? "",
  );

/** Every error of every refused sample. */
export async function sampleFaults(): Promise<SampleFault[]> {
  const faults: SampleFault[] = [];
  for (const { path, acknowledgement } of refusedSamples()) {
    const [, name = "", type = ""] = /\/((\w+)-[\w-]+)\.xml$/.exec(path) ?? [];
    const document = readFileSync(new URL(`../../samples/${path}`, import.meta.url), "latin1");
    const elements = (tag: string) =>
      [...acknowledgement.matchAll(new RegExp(`<${tag}>([^<]*)</${tag}>`, "g"))].map(([, text = ""]) =>
        unescaped(text),
      );
    for (const sentence of elements("error")) {
      const reading = readSentence(sentence, "error", type);
      const [place] = await placeFaults(document, rowsOf(document), [reading], elements("sku"));
      const line = place?.line ?? place?.row ?? null;
      const excerpt = line === null ? "" : (document.split("\n")[line - 1] ?? "").trim();
      faults.push({ name, code: reading.code, sentence, excerpt });
    }
  }
  return faults;
}

/** The cause of a code without a sample document: shell blocks with their output, as the guide shows them. */
export interface Act {
  readonly about: string;
  readonly command: string;
  readonly output: string;
}

const post = (type: string, more = "") =>
  `curl -sS -H "X-API-KEY: $KEY" -H 'Content-Type: application/xml'${more} --data-binary @- $FEED_URL/feeds/$CLIENT/${type}`;
const ack = (type: string, code: string, text: string, rest = "") => `<?xml version="1.0" encoding="UTF-8"?>
<apiResponse><token>…</token><success>false</success><feedType>${type}</feedType><errors><error>[${code}] ${text}</error></errors>${rest}</apiResponse>`;
const item = guideCatalogue("$CLIENT", "$(date -u +%Y-%m-%dT%H:%M:%SZ)");

export const acts: Partial<Readonly<Record<FeedCode, Act>>> = {
  STATE: {
    about: "An order that is cancelled cannot be cancelled again, and one that has left cannot be changed.",
    command: `order() { echo "<orderRequest><orderId>WEB-STATE</orderId><actionType>$1</actionType><clientId>$CLIENT</clientId><orderDate>2026-11-02T09:41:12Z</orderDate><shipToAddress><lastName>Novak</lastName><address1>1 Main Street</address1><city>Dublin</city><zip>D02 X285</zip><country>IE</country></shipToAddress><lines><line><lineNumber>1</lineNumber><sku>HELLO-TEE</sku><qty>1</qty></line></lines></orderRequest>"; }
order NEW | ${post("NO")} -o /dev/null
order CANCEL | ${post("NO")} -o /dev/null
order CANCEL | ${post("NO")}`,
    output: ack(
      "NO",
      "STATE",
      "Order WEB-STATE: CANCEL is not allowed in state CANCELLED",
      "<objectId>WEB-STATE</objectId>",
    ),
  },
  LIMIT: {
    about: "50 000 items of a CAT, 5 000 lines of a PO, 1 000 of an NO or RMA.",
    command: `{
  echo "<orderRequest><orderId>WEB-LIMIT</orderId><clientId>$CLIENT</clientId><orderDate>2026-11-02T09:41:12Z</orderDate><shipToAddress><lastName>Novak</lastName><address1>1 Main Street</address1><city>Dublin</city><zip>D02 X285</zip><country>IE</country></shipToAddress><lines>"
  for number in $(seq 1001); do echo "<line><lineNumber>$number</lineNumber><sku>HELLO-TEE</sku><qty>1</qty></line>"; done
  echo "</lines></orderRequest>"
} | ${post("NO")}`,
    output: ack(
      "NO",
      "LIMIT",
      "The document holds 1001 lines; at most 1000 are allowed",
      "<objectId>WEB-LIMIT</objectId>",
    ),
  },
  REQUEST: {
    about: "A blank is not a visible character.",
    command: `echo "${item}" | ${post("CAT", " -H 'Idempotency-Key: my key'")}`,
    output: ack("CAT", "REQUEST", "Idempotency-Key must be 1 to 255 visible characters"),
  },
  AUTH: {
    about:
      "The sentence says whether the key is missing, unknown, revoked or of another environment. `client list` shows no keys: they cannot be read, only replaced by new ones.",
    command: `curl -sS -H 'X-API-KEY: cd_sandbox_unknown' -H 'Content-Type: application/xml' -d '<any/>' $FEED_URL/feeds/$CLIENT/CAT`,
    output: ack("CAT", "AUTH", "The X-API-KEY is unknown"),
  },
  FORBIDDEN: {
    about: "The key is good, and not for this client.",
    command: `curl -sS -H "X-API-KEY: $KEY" -H 'Content-Type: application/xml' -d '<any/>' $FEED_URL/feeds/OTHER/CAT`,
    output: ack("CAT", "FORBIDDEN", "The X-API-KEY does not belong to client 'OTHER'"),
  },
  TOO_LARGE: {
    about:
      "Counted after gzip is undone, so a small file can be too large. The size is checked before the body is read.",
    command: `head -c 20971521 /dev/zero | tr '\\0' ' ' | ${post("CAT")} -H 'Expect:'`,
    output: ack("CAT", "TOO_LARGE", "The body of 20971521 bytes is over 20971520 bytes"),
  },
  CONTENT_TYPE: {
    about: "`curl -d` says that it sends a form unless a header overrides it.",
    command: `echo "${item}" | curl -sS -H "X-API-KEY: $KEY" --data-binary @- $FEED_URL/feeds/$CLIENT/CAT`,
    output: ack(
      "CAT",
      "CONTENT_TYPE",
      "Content-Type 'application/x-www-form-urlencoded' is neither text/xml nor application/xml",
    ),
  },
  IDEMPOTENCY: {
    about: "The key of a document that was accepted, and other bytes: a space is enough.",
    command: `echo "${item}" | ${post("CAT", " -H 'Idempotency-Key: cat-1'")} -o /dev/null
echo "${item.replace("item><sku>", "item> <sku>")}" | ${post("CAT", " -H 'Idempotency-Key: cat-1'")}`,
    output: ack("CAT", "IDEMPOTENCY", "This Idempotency-Key was used for an accepted document with other bytes"),
  },
  RATE: {
    about:
      "Allowed are 100 requests a second, unless the operator says otherwise, as here. `Retry-After` says how long to wait.",
    command: `npx crossdock client set $CLIENT rateLimit=1/s > /dev/null
sleep 1
echo "${item}" | ${post("CAT").replace("$FEED_URL/feeds/$CLIENT/CAT", `-w '\\n' "$FEED_URL/feeds/$CLIENT/CAT#[1-50]"`)} | grep RATE | tail -n 1
npx crossdock client set $CLIENT rateLimit= > /dev/null`,
    output: ack("CAT", "RATE", "Too many requests; try again in 1 s").split("\n")[1] as string,
  },
};

/** Codes that no shell command can cause: the sentence, and the test that causes it. */
export const quoted: Partial<
  Readonly<Record<FeedCode, { readonly about: string; readonly sentence: string; readonly test: string }>>
> = {
  TIMEOUT: {
    about: "The connection is too slow, or the program stopped in the middle.",
    sentence: "[TIMEOUT] The body was not complete after 30 s",
    test: "tests/flows/feeds/slow-body.test.ts",
  },
  IN_PROGRESS: {
    about: "Two of your processes send the same document at the same moment, or a first try is still under way.",
    sentence: "[IN_PROGRESS] A document with this Idempotency-Key is being processed; try again in a second",
    test: "tests/flows/feeds/idempotency.test.ts",
  },
  UNAVAILABLE: {
    about:
      "The document may have been stored or not: with its `Idempotency-Key` it is safe to send it again, and without one a repeat of an NO, PO or RMA is refused as `[DUPLICATE]`.",
    sentence: "[UNAVAILABLE] The document could not be stored now, or its outcome is unknown; send it again",
    test: "tests/flows/feeds/store-away.test.ts",
  },
};
