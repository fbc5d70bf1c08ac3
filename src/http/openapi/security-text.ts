import type { HttpServer } from "#/http/server/server.ts";
import type { Clock } from "#/kernel/clock.ts";
import { dayMs } from "#/kernel/values/durations.ts";

export interface SecurityText {
  /** A `mailto:` or `https:` URI. */
  readonly contact: string;
  /** Public address of this deployment, without a slash at the end. */
  baseUrl(): string;
  readonly clock: Clock;
}

/** Readers must fetch the file again by then; RFC 9116 §2.5.5 recommends less than a year. */
const validDays = 180;

/** `/.well-known/security.txt` (RFC 9116): where to report a vulnerability, and the policy for handling it. */
export function registerSecurityText(app: HttpServer, { contact, baseUrl, clock }: SecurityText): void {
  app.get("/.well-known/security.txt", (_request, reply) => {
    const today = Math.floor(clock.now() / dayMs);
    const expires = new Date((today + validDays) * dayMs).toISOString();
    const lines = [
      `Contact: ${contact}`,
      `Expires: ${expires}`,
      "Preferred-Languages: en",
      `Canonical: ${baseUrl()}/.well-known/security.txt`,
      `Policy: ${baseUrl()}/docs/security`,
    ];
    return reply
      .header("Cache-Control", "public, max-age=3600")
      .type("text/plain; charset=utf-8")
      .send(`${lines.join("\r\n")}\r\n`);
  });
}
