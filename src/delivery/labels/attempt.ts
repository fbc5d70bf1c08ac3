/** One attempt to buy, to find or to give back a label: requests without transaction or lock, and what they mean. */
import type { SourceClient, SourceExchange } from "#/delivery/labels/source-client.ts";
import {
  type BoughtLabel,
  callsOf,
  fill,
  fillText,
  type LabelSource,
  labelOfBytes,
  labelOfText,
  type Manifest,
  type Purchase,
  type ReadAnswer,
  readAnswer,
  type SourceCall,
} from "#/modules/labels/index.ts";

export type Outcome =
  | { readonly kind: "BOUGHT"; readonly answer: ReadAnswer; readonly label: BoughtLabel }
  /** Nothing is bought at the source, or not any more. */
  | { readonly kind: "VOIDED" }
  | { readonly kind: "REFUSED"; readonly error: string }
  /** @property isUnknown the source may have sold a label. */
  | {
      readonly kind: "LATER";
      readonly error: string;
      readonly isUnknown: boolean;
      readonly retryAfterMs?: number | undefined;
      readonly externalId?: string | undefined;
    };

export interface SourceAccess {
  readonly source: LabelSource;
  readonly headers: Readonly<Record<string, string>>;
  readonly client: SourceClient;
}

const timeoutSecondsOf = ({ definition }: LabelSource) => definition.timeoutSeconds ?? 15;
/** An attempt sends at most three requests: look-up, purchase and label; or look-up and void. */
export const attemptMsMax = (source: LabelSource) => 3 * timeoutSecondsOf(source) * 1_000 + 5_000;

/** The values that templates read. */
export function valuesOf(source: LabelSource, purchase: Purchase): Readonly<Record<string, unknown>> {
  const { services = {} } = source.definition;
  const { purchaseId, externalId, trackingNumber, orderId, olpnId, serviceCode, carrierCode } = purchase;
  return {
    ...purchase.request?.values,
    service: { code: serviceCode, carrierCode, ...services["*"], ...services[serviceCode] },
    purchase: { key: purchaseId, externalId, trackingNumber, orderId, olpnId },
  };
}

type Called =
  | { readonly kind: "ANSWERED"; readonly read: ReadAnswer; readonly status: number }
  | Extract<Outcome, { readonly kind: "LATER" | "REFUSED" }>;

/** Network failures before the request was sent: nothing can have been bought. */
const unsent: ReadonlySet<string> = new Set(["dns", "connect", "tls"]);
/** The source may process the request nevertheless, or is processing its twin. */
const uncertain: ReadonlySet<number> = new Set([408, 409]);

/** Sends the request of a call. */
export function exchangeOf(
  { source, headers, client }: SourceAccess,
  call: Pick<SourceCall, "method" | "path" | "headers" | "body">,
  values: Readonly<Record<string, unknown>>,
  timeoutMs: number,
): Promise<SourceExchange> {
  const ofCall = Object.entries(call.headers ?? {}).map(([name, text]) => [name.toLowerCase(), fillText(text, values)]);
  return client.request({
    method: call.method,
    url: source.url.replace(/\/$/, "") + fillText(call.path, values, encodeURIComponent),
    headers: { accept: "application/json", ...Object.fromEntries(ofCall), ...headers },
    body: call.body === undefined ? undefined : fill(call.body, values),
    timeoutMs,
  });
}

async function send(
  access: SourceAccess,
  call: SourceCall,
  values: Readonly<Record<string, unknown>>,
): Promise<Called> {
  const exchanged = await exchangeOf(access, call, values, timeoutSecondsOf(access.source) * 1_000);
  const { failure, status, retryAfterMs } = exchanged;
  if (failure?.errorClass === "blocked") return { kind: "REFUSED", error: failure.detail };
  if (failure) {
    const error = `${failure.errorClass}: ${failure.detail}`;
    return { kind: "LATER", error, isUnknown: !unsent.has(failure.errorClass) };
  }
  const read = readAnswer(call, exchanged, values);
  const error = read.error ?? `status ${status}`;
  if (status === 429) return { kind: "LATER", error, isUnknown: false, retryAfterMs };
  if (status >= 500 || uncertain.has(status)) return { kind: "LATER", error, isUnknown: true, retryAfterMs };
  return { kind: "ANSWERED", read, status };
}

export async function attempt(access: SourceAccess, purchase: Purchase): Promise<Outcome> {
  const calls = callsOf(access.source);
  if (calls === undefined) return { kind: "REFUSED", error: "the source has no calls" };
  const values = valuesOf(access.source, purchase);
  if (purchase.status === "VOIDING") return giveBack(access, purchase, values);
  if (calls.buy === undefined) return { kind: "REFUSED", error: "the source sells no labels" };
  const made = await make(access, { find: calls.lookUp, make: calls.buy }, purchase.isSent, values);
  if (made.kind !== "MADE") return made;
  const { answer, label } = made;
  if (label) return { kind: "BOUGHT", answer, label };
  return { kind: "LATER", error: "the answer has no label", isUnknown: true, externalId: answer.externalId };
}

function valuesOfManifest({ source }: SourceAccess, manifest: Manifest): Readonly<Record<string, unknown>> {
  const { services = {} } = source.definition;
  const { manifestId, carrierCode, request, parcels } = manifest;
  const [first] = parcels;
  return {
    ...request,
    service: { carrierCode, ...services["*"], ...services[first?.serviceCode ?? ""] },
    manifest: {
      key: manifestId,
      firstId: first?.externalId,
      externalIds: parcels.flatMap(({ externalId }) => externalId ?? []),
      parcels: parcels.length,
    },
    parcels,
  };
}

/** Makes a manifest, or finds it after a lost answer. Its document is undefined where the source gives none. */
export async function attemptManifest(access: SourceAccess, manifest: Manifest): Promise<Made> {
  const calls = callsOf(access.source);
  if (calls?.manifest === undefined) return { kind: "REFUSED", error: "the source has no manifest" };
  const values = valuesOfManifest(access, manifest);
  return make(access, { find: calls.manifestLookUp, make: calls.manifest }, manifest.isSent, values);
}

const mayBeBooked = "the answer was lost, and the collection may be booked: ask the carrier before it is asked again";

/** Books the collection of a manifest. A lost answer is not followed by a second request: the carrier would come twice. */
export async function attemptPickup(access: SourceAccess, manifest: Manifest): Promise<Made> {
  const call = callsOf(access.source)?.pickup;
  if (call === undefined) return { kind: "REFUSED", error: "the source books no collections" };
  if (manifest.isSent) return { kind: "REFUSED", error: mayBeBooked };
  const called = await send(access, call, valuesOfManifest(access, manifest));
  if (called.kind === "LATER" && called.isUnknown) {
    return { kind: "REFUSED", error: `${called.error}: ${mayBeBooked}` };
  }
  if (called.kind !== "ANSWERED") return called;
  const { read: answer, status } = called;
  if (answer.kind === "REFUSED") return { kind: "REFUSED", error: answer.error ?? `status ${status}` };
  return { kind: "MADE", answer, label: undefined };
}

export type Made =
  | { readonly kind: "MADE"; readonly answer: ReadAnswer; readonly label: BoughtLabel | undefined }
  | Extract<Outcome, { readonly kind: "LATER" | "REFUSED" }>;

async function make(
  access: SourceAccess,
  calls: { readonly find: SourceCall | undefined; readonly make: SourceCall },
  isSent: boolean,
  values: Readonly<Record<string, unknown>>,
): Promise<Made> {
  if (isSent && calls.find) {
    const found = await send(access, calls.find, values);
    if (found.kind === "LATER") return { ...found, isUnknown: true };
    if (found.kind === "ANSWERED" && found.read.kind !== "REFUSED") return withPaper(access, found.read);
  }
  const answered = await send(access, calls.make, values);
  if (answered.kind !== "ANSWERED") return answered;
  const { read, status } = answered;
  if (read.kind === "REFUSED") return { kind: "REFUSED", error: read.error ?? `status ${status}` };
  return withPaper(access, read);
}

/** Reads or fetches what the source has made. */
async function withPaper(access: SourceAccess, answer: ReadAnswer): Promise<Made> {
  const { externalId, label: text, labelUrl } = answer;
  const later = (error: string): Made => ({ kind: "LATER", error, isUnknown: true, externalId });
  if (answer.kind === "PENDING") return later("the source is still making it");
  if (text !== undefined) {
    const label = labelOfText(text);
    return label ? { kind: "MADE", answer, label } : later("the label is neither PDF, nor PNG, nor ZPL");
  }
  if (labelUrl === undefined) return { kind: "MADE", answer, label: undefined };
  const { source, headers, client } = access;
  const url = URL.parse(labelUrl, source.url)?.href ?? labelUrl;
  // Secrets go to the source only: a label is often in a store of files elsewhere.
  const isOfSource = URL.parse(url)?.origin === URL.parse(source.url)?.origin;
  const timeoutMs = timeoutSecondsOf(source) * 1_000;
  const fetched = await client.request({
    method: "GET",
    url,
    headers: isOfSource ? headers : {},
    body: undefined,
    timeoutMs,
  });
  if (fetched.failure) return later(`the label: ${fetched.failure.errorClass}: ${fetched.failure.detail}`);
  if (fetched.status !== 200) return later(`the label: status ${fetched.status}`);
  const label = labelOfBytes(fetched.body);
  return label ? { kind: "MADE", answer, label } : later("the label is neither PDF, nor PNG, nor ZPL");
}

async function giveBack(
  access: SourceAccess,
  purchase: Purchase,
  values: Readonly<Record<string, unknown>>,
): Promise<Outcome> {
  const calls = callsOf(access.source);
  let { externalId, trackingNumber } = purchase;
  if (externalId === null) {
    if (!calls?.lookUp) {
      const error = `the source may have sold a label under ${purchase.purchaseId}, and has no look-up: ask it`;
      return { kind: "REFUSED", error };
    }
    const found = await send(access, calls.lookUp, values);
    if (found.kind !== "ANSWERED") return found;
    if (found.read.kind === "REFUSED") return { kind: "VOIDED" };
    externalId = found.read.externalId ?? null;
    trackingNumber = found.read.trackingNumber ?? null;
  }
  if (!calls?.void) return { kind: "REFUSED", error: `the source has no void: ask it to give back ${externalId}` };
  const named = { ...values, purchase: { ...(values.purchase as object), externalId, trackingNumber } };
  const voided = await send(access, calls.void, named);
  if (voided.kind !== "ANSWERED") return voided;
  const { read, status } = voided;
  return read.kind === "REFUSED" ? { kind: "REFUSED", error: read.error ?? `status ${status}` } : { kind: "VOIDED" };
}

/** Proves address and secrets of a source; undefined: it has no call for that. */
export async function testSource(access: SourceAccess): Promise<{ isGood: boolean; detail: string } | undefined> {
  const call = callsOf(access.source)?.test;
  if (!call) return undefined;
  const called = await send(access, call, { service: access.source.definition.services?.["*"] ?? {} });
  if (called.kind !== "ANSWERED") return { isGood: false, detail: called.error };
  const isGood = called.read.kind !== "REFUSED";
  return { isGood, detail: isGood ? `status ${called.status}` : (called.read.error ?? `status ${called.status}`) };
}
