/** Field names whose values must not appear in a log, in the form that `foldName` returns. */
const secretNames: ReadonlySet<string> = new Set([
  "authorization",
  "proxyauthorization",
  "xapikey",
  "apikey",
  "cookie",
  "setcookie",
  "secret",
  "secretprevious",
  "clientsecret",
  "signingsecret",
  "sharedsecret",
  "password",
  "passphrase",
  "accesstoken",
  "refreshtoken",
  "idtoken",
  "privatekey",
  "customheaders",
  "databaseurl",
  "directurl",
  "connectionstring",
  "smtpurl",
  "cardnumber",
]);

export const redacted = "[redacted]";

/** Deeper objects are never logged deliberately; their contents are omitted, because they may contain secrets. */
const depthMax = 8;

/** A copy of a log object in which every field with a secret's name, at any depth, has the value `[redacted]`. */
export function withoutSecrets(fields: Record<string, unknown>): Record<string, unknown> {
  return redactedCopy(fields, depthMax);
}

function redactedCopy(fields: Record<string, unknown>, depthLeft: number): Record<string, unknown> {
  const copy: Record<string, unknown> = {};
  for (const name of Object.keys(fields)) {
    copy[name] = secretNames.has(foldName(name)) ? redacted : redactedValue(fields[name], depthLeft - 1);
  }
  return copy;
}

function redactedValue(value: unknown, depthLeft: number): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return depthLeft < 0 ? "[deep]" : value.map((item) => redactedValue(item, depthLeft - 1));
  // Requests, errors and dates have their own serialisers, which choose the shown fields.
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return value;
  return depthLeft < 0 ? "[deep]" : redactedCopy(value as Record<string, unknown>, depthLeft);
}

const foldedNames = new Map<string, string>();

/** `X-API-Key`, `x_api_key` and `xApiKey` are one name. Names are few, so each is normalised once. */
function foldName(name: string): string {
  let folded = foldedNames.get(name);
  if (folded === undefined) {
    folded = name.toLowerCase().replace(/[^a-z0-9]/g, "");
    // Names that come from outside (maps logged by key) must not grow this map without a bound.
    if (foldedNames.size < 1000) foldedNames.set(name, folded);
  }
  return folded;
}
