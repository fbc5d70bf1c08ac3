/** Parsers of single values of the environment. A refusal states the expected form and never repeats the value. */

import { createPublicKey } from "node:crypto";
import { isIP } from "node:net";
import { ok, type Result, refused } from "#/kernel/result.ts";

/** Parses the text of a value that is not blank; the fault is the phrase "expected …" of a sentence about the value. */
export type Parser<Value> = (text: string) => Result<Value, string>;

/**
 * A mail address with its display name, in the form that nodemailer takes: a single string could inject a second
 * address.
 */
export interface MailAddress {
  readonly name: string | undefined;
  readonly address: string;
}

export const parseBoolean: Parser<boolean> = (text) => {
  const lower = text.trim().toLowerCase();
  if (["true", "1", "on", "yes"].includes(lower)) return ok(true);
  if (["false", "0", "off", "no"].includes(lower)) return ok(false);
  return refused("expected true or false");
};

/** Parses the name of a restore: the moment that was restored, or only that there was a restore. */
export const parseRestored: Parser<string | false> = (text) => {
  const flag = parseBoolean(text);
  if (flag.ok) return ok(flag.value ? "true" : false);
  const moment = text.trim();
  const isMoment = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?(Z|[+-]\d{2}(:?\d{2})?)$/.test(moment);
  const ms = isMoment
    ? Date.parse(moment.replace(" ", "T").replace(/([+-]\d{2})(\d{2})?$/, (_, h, m) => `${h}:${m ?? "00"}`))
    : Number.NaN;
  if (Number.isNaN(ms)) {
    return refused("expected off, or the restored time, such as 2026-11-21T03:00:00Z");
  }
  // Each moment identifies one restore, however it is written.
  return ok(new Date(ms).toISOString());
};

export function oneOf<const Choice extends string>(choices: readonly Choice[]): Parser<Choice> {
  return (text) => {
    const choice = choices.find((candidate) => candidate === text.trim().toLowerCase());
    return choice === undefined ? refused(`expected ${choices.join(", ")}`) : ok(choice);
  };
}

export function integerBetween(min: number, max: number): Parser<number> {
  return (text) => {
    const value = /^\d{1,15}$/.test(text.trim()) ? Number(text) : Number.NaN;
    return value >= min && value <= max ? ok(value) : refused(`expected a whole number from ${min} to ${max}`);
  };
}

export function numberAbove(min: number, max: number): Parser<number> {
  return (text) => {
    const value = /^\d{1,12}(?:\.\d{1,6})?$/.test(text.trim()) ? Number(text) : Number.NaN;
    return value > min && value <= max ? ok(value) : refused(`expected a number above ${min}, at most ${max}`);
  };
}

export const parsePort = integerBetween(0, 65_535);

export const parsePortOrOff: Parser<number | "off"> = (text) => {
  if (text.trim().toLowerCase() === "off") return ok("off");
  const port = parsePort(text);
  return port.ok ? port : refused(`${port.fault}, or off`);
};

export const parseHost: Parser<string> = (text) =>
  /^[A-Za-z0-9._:-]+$/.test(text.trim()) ? ok(text.trim()) : refused("expected a host name or an address");

export const parsePath: Parser<string> = (text) => (text.includes("\0") ? refused("expected a path") : ok(text.trim()));

/** An address that people and senders see: no slash at its end, nothing after its path, no credentials in it. */
export const parsePublicUrl: Parser<string> = (text) => {
  const url = URL.parse(text.trim());
  const isPlain =
    url !== null &&
    ["http:", "https:"].includes(url.protocol) &&
    url.username + url.password + url.search + url.hash === "";
  if (!isPlain) return refused("expected an http or https address without credentials, query or fragment");
  return ok(url.href.replace(/\/+$/, ""));
};

/** An identity provider, character by character as in its metadata: a slash at the end of a path counts. */
export const parseIssuer: Parser<string> = (text) => {
  const url = parsePublicUrl(text);
  return url.ok ? ok(new URL(text.trim()).href) : url;
};

/** Any text without line breaks, such as a name from another program. */
export const parseLine: Parser<string> = (text) =>
  /^[^\p{Cc}]{1,200}$/u.test(text.trim()) ? ok(text.trim()) : refused("expected 1 to 200 characters on one line");

/** Scopes of OpenID Connect, separated by blanks: `openid` makes a request an OpenID Connect request. */
export const parseScope: Parser<string> = (text) => {
  const scopes = text.trim().split(/ +/);
  return scopes.includes("openid") && scopes.every((scope) => /^[!#-[\]-~]{1,200}$/.test(scope))
    ? ok(scopes.join(" "))
    : refused("expected scopes separated by blanks, openid among them");
};

/** The address of a connection in the form that its driver takes; these addresses contain passwords. */
export function urlOf(protocols: readonly string[], example: string): Parser<string> {
  return (text) => {
    const url = URL.parse(text.trim());
    return url !== null && protocols.includes(url.protocol) ? ok(text.trim()) : refused(`expected ${example}`);
  };
}

/** Addresses and CIDR ranges (RFC 4632, RFC 4291), separated by commas. */
export const parseNetworks: Parser<readonly string[]> = (text) => {
  const networks = text.split(",").map((part) => part.trim());
  return networks.every(isNetwork)
    ? ok(networks)
    : refused("expected addresses or ranges such as 10.0.0.0/8, separated by commas");
};

/** Networks of proxies. A range of all addresses is refused: with it each request could forge its source address. */
export const parseProxies: Parser<readonly string[]> = (text) => {
  const networks = parseNetworks(text);
  return networks.ok && networks.value.some((network) => /\/0+$/.test(network))
    ? refused("expected the addresses of the proxies: a range of length 0 trusts every address")
    : networks;
};

function isNetwork(text: string): boolean {
  const [address = "", bits, ...rest] = text.split("/");
  const version = isIP(address);
  if (version === 0 || address.includes("%") || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}

/** A seed for random draws. */
export const parseSeed: Parser<string> = (text) =>
  /^[A-Za-z0-9._-]{1,64}$/.test(text.trim())
    ? ok(text.trim())
    : refused("expected 1 to 64 letters, digits, '.', '_' or '-'");

/** The master key is any text; its blanks count. */
export const parseSecret: Parser<string> = (text) =>
  [...text].length >= 32 ? ok(text) : refused("expected at least 32 characters");

export const parseRateLimit: Parser<{ readonly perSecond: number } | "off"> = (text) => {
  const lower = text.trim().toLowerCase();
  if (lower === "off") return ok("off");
  const perSecond = Number(/^(\d{1,7})\/s$/.exec(lower)?.[1] ?? 0);
  return perSecond > 0 ? ok({ perSecond }) : refused("expected requests per second such as 100/s, or off");
};

export const parseGs1Prefix: Parser<string> = (text) =>
  /^\d{7,10}$/.test(text.trim()) ? ok(text.trim()) : refused("expected 7 to 10 digits");

export const parseMailAddress: Parser<MailAddress> = (text) => {
  const match = /^(?:([^<>,;"\r\n]+)<([^<>]+)>|([^<>]+))$/.exec(text.trim());
  const address = (match?.[2] ?? match?.[3] ?? "").trim();
  if (!/^[^\s@<>,;:"]+@[^\s@<>,;:"]+$/.test(address)) {
    return refused("expected one mail address such as Crossdock <crossdock@example.com>");
  }
  return ok({ name: match?.[1]?.trim(), address });
};

/** Where vulnerabilities are reported, as the URI that RFC 9116 §2.5.3 requires. */
export const parseSecurityContact: Parser<string> = (text) => {
  const url = URL.parse(text.trim());
  if (url?.protocol === "https:") return ok(url.href);
  const mail = parseMailAddress(text.trim().replace(/^mailto:/i, ""));
  return mail.ok ? ok(`mailto:${mail.value.address}`) : refused("expected a mail address or an https address");
};

/** Delays in seconds, separated by commas; fractions are for tests. */
export const parseDelays: Parser<readonly number[]> = (text) => {
  const parts = text.split(",").map((part) => part.trim());
  return parts.every((part) => /^\d{1,7}(?:\.\d{1,3})?$/.test(part))
    ? ok(parts.map(Number))
    : refused("expected delays in seconds, separated by commas");
};

/** Fault rates of the simulated warehouse: probabilities from 0 to 1. */
export interface FaultRates {
  /** Per pick line: a unit is not found. */
  readonly shortPick: number;
  /** Per received line: some of it is damaged. */
  readonly damage: number;
  /** Per parcel: the carrier is late. */
  readonly lateCarrier: number;
  /** Per parcel: the carrier loses it. */
  readonly lostParcel: number;
  /** Per parcel: the recipient is not at home at the first delivery attempt. */
  readonly carrierException: number;
  /** Per received line: there is more of it than was ordered. */
  readonly overReceipt: number;
  /** Per pick: the first report is wrong, and is refused. */
  readonly refusedReport: number;
}

export const noFaults: FaultRates = {
  shortPick: 0,
  damage: 0,
  lateCarrier: 0,
  lostParcel: 0,
  carrierException: 0,
  overReceipt: 0,
  refusedReport: 0,
};

/** Names with rates from 0 to 1, separated by commas; an omitted name is 0. */
export const parseFaultRates: Parser<FaultRates> = (text) => {
  const rates: Record<string, number> = { ...noFaults };
  const parts = text.split(",").map((part) => part.split("=").map((word) => word.trim()));
  for (const [name = "", rate = "", ...rest] of parts) {
    const isRate = /^(?:0|1|0?\.\d{1,6}|1\.0{1,6})$/.test(rate) && rest.length === 0;
    if (!Object.hasOwn(noFaults, name) || !isRate) {
      return refused(
        `expected rates from 0 to 1 such as shortPick=0.02, separated by commas: ${Object.keys(noFaults).join(", ")}`,
      );
    }
    rates[name] = Number(rate);
  }
  return ok(rates as unknown as FaultRates);
};

// Parsers of the variables that OpenTelemetry defines (OpenTelemetry specification, SDK environment variables).

/** `name=value`, separated by commas; values may be percent-encoded (W3C Baggage). */
const parsePairs: Parser<Readonly<Record<string, string>>> = (text) => {
  const pairs: Record<string, string> = {};
  for (const part of text.split(",").map((pair) => pair.trim())) {
    if (part === "") continue;
    const [, name, value] = /^([^=\s]+)\s*=\s*(.*)$/.exec(part) ?? [];
    if (name === undefined || value === undefined) return refused("expected name=value pairs, separated by commas");
    try {
      pairs[name] = decodeURIComponent(value);
    } catch {
      return refused(`the value of ${name} is not correctly percent-encoded`);
    }
  }
  return ok(pairs);
};

export const parseAttributes = parsePairs;

/** Senders of tracking webhooks. */
const trackingSourceNames = ["easypost", "shippo", "aftership", "shipstation", "generic"] as const;
export type TrackingSourceName = (typeof trackingSourceNames)[number];
/** A source without secrets may not send. */
export type TrackingSecrets = Readonly<Partial<Record<TrackingSourceName, readonly string[]>>>;
const trackingSecretMin = 16;

/** The secrets of each source: a public key for shipstation, `whsec_…` for generic. */
export const parseTrackingSecrets: Parser<TrackingSecrets> = (text) => {
  const pairs = parsePairs(text);
  if (!pairs.ok) return pairs;
  const secrets: Partial<Record<TrackingSourceName, readonly string[]>> = {};
  for (const [text, value] of Object.entries(pairs.value)) {
    const name = trackingSourceNames.find((source) => source === text);
    if (name === undefined) return refused(`expected secrets of ${trackingSourceNames.join(", ")}`);
    const all = value.split(" ").filter((secret) => secret !== "");
    const isShort = all.length === 0 || all.some((secret) => secret.length < trackingSecretMin);
    if (isShort) return refused(`a secret of ${name} has at least ${trackingSecretMin} characters`);
    if (name === "shipstation" && !all.every(isPublicKey))
      return refused("a secret of shipstation is a public RSA key: base64 of its DER form (SPKI), without line breaks");
    secrets[name] = all;
  }
  return ok(secrets);
};

function isPublicKey(text: string): boolean {
  try {
    const key = createPublicKey({ key: Buffer.from(text, "base64"), format: "der", type: "spki" });
    return key.asymmetricKeyType === "rsa";
  } catch {
    return false;
  }
}

/** Sent with each message; may contain a token of the collector. */
export const parseHeaders: Parser<Readonly<Record<string, string>>> = (text) => {
  const pairs = parsePairs(text);
  if (!pairs.ok) return pairs;
  for (const [name, value] of Object.entries(pairs.value)) {
    if (!/^[!#$%&'*+.^_`|~\w-]+$/.test(name)) return refused(`${name} is not a header name`);
    if (!/^[\t\x20-\x7e]*$/.test(value))
      return refused(`the value of ${name} has characters that a header must not have`);
  }
  return pairs;
};

export const samplers = [
  "always_on",
  "always_off",
  "traceidratio",
  "parentbased_always_on",
  "parentbased_always_off",
  "parentbased_traceidratio",
] as const;
type SamplerName = (typeof samplers)[number];

export const parseRatio: Parser<number> = (text) => {
  const ratio = /^\d(?:\.\d{1,9})?$/.test(text.trim()) ? Number(text) : Number.NaN;
  return ratio <= 1 ? ok(ratio) : refused("expected a number from 0 to 1");
};

/** The sampled fraction of the traces. A token's trace has no parent elsewhere, so parentbased_ has no effect. */
export function ratioOf(sampler: SamplerName | undefined, ratio: number | undefined): number {
  switch (sampler?.replace("parentbased_", "")) {
    case "always_off":
      return 0;
    case "traceidratio":
      return ratio ?? 1;
    default:
      return 1;
  }
}
