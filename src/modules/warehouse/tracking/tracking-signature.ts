import { createHmac, createPublicKey, timingSafeEqual, verify } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { minuteMs } from "#/kernel/values/durations.ts";
import type { TrackingSignature } from "#/modules/warehouse/tracking/tracking-sources.ts";

export interface SignedRequest {
  readonly headers: IncomingHttpHeaders;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: Buffer;
  readonly nowMs: number;
}

/** A signed moment may differ from the clock of the server by this. */
const skewMsMax = 5 * minuteMs;

/** Whether a request is of the source: signed with one of its secrets, and now. */
export function isSigned(signature: TrackingSignature, secrets: readonly string[], request: SignedRequest): boolean {
  return secrets.some((secret) => isSignedWith(signature, secret, request));
}

function isSignedWith(signature: TrackingSignature, secret: string, request: SignedRequest): boolean {
  const { headers, query, body, nowMs } = request;
  const header = (name: string) => String(headers[name] ?? "");
  switch (signature.kind) {
    case "token":
      return isSame(String(query[signature.parameter] ?? ""), secret);
    case "hmac": {
      // EasyPost normalises its secrets so, which changes no secret of ASCII.
      const mac = createHmac("sha256", secret.normalize("NFKD")).update(body).digest(signature.encoding);
      return isSame(header(signature.header), `${signature.prefix ?? ""}${mac}`);
    }
    case "standard": {
      const [id, seconds] = [header("webhook-id"), header("webhook-timestamp")];
      if (id === "" || !/^\d{1,12}$/.test(seconds) || !isNow(Number(seconds) * 1_000, nowMs)) return false;
      const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
      const mac = createHmac("sha256", key).update(`${id}.${seconds}.`).update(body).digest("base64");
      return header("webhook-signature")
        .split(" ")
        .some((sent) => isSame(sent, `v1,${mac}`));
    }
    case "rsa": {
      const timestamp = header(signature.timestampHeader);
      if (!isNow(Date.parse(timestamp), nowMs)) return false;
      const key = createPublicKey({ key: Buffer.from(secret, "base64"), format: "der", type: "spki" });
      const signed = Buffer.concat([Buffer.from(`${timestamp}.`), body]);
      return verify("sha256", signed, key, Buffer.from(header(signature.header), "base64"));
    }
  }
}

const isNow = (ms: number, nowMs: number) => Math.abs(nowMs - ms) <= skewMsMax;

function isSame(sent: string, wanted: string): boolean {
  const [sentBytes, wantedBytes] = [Buffer.from(sent), Buffer.from(wanted)];
  return sentBytes.length === wantedBytes.length && timingSafeEqual(sentBytes, wantedBytes);
}
