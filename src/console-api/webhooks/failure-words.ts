/** Why a delivery failed, in words for operators; pure. The stored text has a class and the detail of Node or of the answer. */

const classWords: Readonly<Record<string, string>> = {
  blocked: "the address of the receiver is not allowed",
  dns: "the name of the receiver has no address",
  connect: "the receiver does not accept connections",
  tls: "the TLS handshake with the receiver failed",
  reset: "the receiver broke the connection",
  timeout: "the receiver did not answer in time",
  redirect: "the receiver answered a redirect, which is not followed",
  protocol: "the answer of the receiver is not HTTP",
};

const systemError = /^(?:connect|getaddrinfo|read|write) (E[A-Z_]+)(?: (\S+))?/;

/**
 * `127.0.0.1:9 does not accept connections (ECONNREFUSED)` for `connect: connect ECONNREFUSED 127.0.0.1:9`. A text of
 * another form is returned as it is.
 * @param host of the receiver, where it is known: `shop.example:8443`
 */
export function failureInWords(lastError: string, host?: string): string {
  const [errorClass = "", detail = ""] = split(lastError);
  if (errorClass === "status") return `the receiver ${detail}`;
  const words = classWords[errorClass];
  if (words === undefined) return lastError;
  const [, code = detail, place] = systemError.exec(detail) ?? [];
  const receiver = host ?? (errorClass === "connect" ? place?.replace(/;$/, "") : undefined);
  return `${receiver === undefined ? words : words.replace("the receiver", receiver)} (${code})`;
}

function split(text: string): readonly string[] {
  const at = text.indexOf(": ");
  return at < 0 ? [] : [text.slice(0, at), text.slice(at + 2)];
}
