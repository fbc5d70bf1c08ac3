// Blanks personal data in a stored value of an order. The shape stays, so that readers still parse it. People's names,
// addresses and free text are removed.

import { keptReason } from "#/modules/orders/index.ts";

/** Replaces a sentence that quoted a value. */
export const blankedWord = "blanked";

/** The one address field that stays: alone it identifies no person, and reports by country need it. */
const keptOfAddress = "country";
const addressKeys: ReadonlySet<string> = new Set(["billToAddress", "shipToAddress", "shipTo"]);

type Json = unknown;
type Members = Readonly<Record<string, Json>>;

/** Blanks JSON of events, responses, tasks and reports. Returns the same value if nothing in it is personal. */
export function blankJson(value: Json): Json {
  if (Array.isArray(value)) {
    const items = value.map(blankJson);
    return items.some((item, i) => item !== value[i]) ? items : value;
  }
  if (typeof value !== "object" || value === null) return value;
  const members: Record<string, Json> = {};
  let isSame = true;
  for (const [name, member] of Object.entries(value)) {
    const blanked = blankMember(name, member);
    if (blanked !== member) isSame = false;
    if (blanked !== undefined) members[name] = blanked;
  }
  return isSame ? value : members;
}

/** @returns undefined if the member is removed. */
function blankMember(name: string, value: Json): Json {
  if (addressKeys.has(name)) return blankAddress(value);
  switch (name) {
    case "extendedAttributes":
      return isEmpty(value) ? value : {};
    case "payments":
      return isEmpty(value) ? value : [];
    case "location":
    case "text":
    case "attributeOne":
    case "attributeThree":
      return typeof value === "string" ? null : value;
    case "statusReason":
      return typeof value === "string" ? keptOfReason(value) : value;
    // Where `reason` is present, a string is required.
    case "reason":
      return typeof value === "string" && !isCode(value) ? "" : value;
    case "note":
      return typeof value === "string" ? undefined : value;
    case "errors":
      return Array.isArray(value) && value.every((text) => typeof text === "string")
        ? unchangedOr(value, value.map(blankSentence))
        : blankJson(value);
    default:
      return blankJson(value);
  }
}

const isEmpty = (value: Json) => typeof value !== "object" || value === null || Object.keys(value).length === 0;

const unchangedOr = (before: readonly string[], after: readonly string[]) =>
  after.some((text, i) => text !== before[i]) ? after : before;

const kept = new RegExp(keptReason);
/** The words of the platform in a reason of a state, such as `PARTIALLY_DELIVERED`; null where a person typed it. */
const keptOfReason = (text: string): string | null => kept.exec(text)?.[0] ?? null;

/** States and causes that the platform itself sets, e.g. `PARTIALLY_DELIVERED`. */
const isCode = (text: string) => /^[A-Z][A-Z0-9_]*$/.test(text);

function blankAddress(value: Json): Json {
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value as Members);
  if (entries.every(([name, member]) => name === keptOfAddress || member === null)) return value;
  return Object.fromEntries(entries.map(([name, member]) => [name, name === keptOfAddress ? member : null]));
}

/** A sentence of an ACK keeps its code: `[POSTCODE] blanked`. */
export function blankSentence(sentence: string): string {
  const code = /^\[[A-Z0-9_]+\]/.exec(sentence)?.[0];
  return code === undefined ? blankedWord : `${code} ${blankedWord}`;
}

/** Blanks an ACK or an outbound document written by this platform. A valid document stays valid. */
export function blankXml(xml: string): string {
  return xml
    .replace(/<error>([^<]*)<\/error>/g, (_, sentence: string) => `<error>${blankSentence(sentence)}</error>`)
    .replace(/(\s*)<statusReason>([^<]*)<\/statusReason>/g, (_, space: string, reason: string) => {
      const words = keptOfReason(reason);
      return words === null ? "" : `${space}<statusReason>${words}</statusReason>`;
    })
    .replace(/\s*<reason>([^<]*)<\/reason>/g, (whole, reason: string) => (isCode(reason) ? whole : ""))
    .replace(/\s*<(note|attributeOne|attributeThree)>[^<]*<\/\1>/g, "");
}

/** Blanks the findings about a document: codes stay, sentences that quote its values are replaced. */
export function blankFindings(findings: Members | null): Members | null {
  if (findings === null) return null;
  const { errors, warnings } = findings as {
    readonly errors?: readonly string[];
    readonly warnings?: readonly { readonly code: string; readonly text: string }[];
  };
  return {
    ...findings,
    ...(errors === undefined ? {} : { errors: errors.map(blankSentence) }),
    ...(warnings === undefined ? {} : { warnings: warnings.map((warning) => ({ ...warning, text: blankedWord })) }),
  };
}
