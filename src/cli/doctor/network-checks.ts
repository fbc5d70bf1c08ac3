// Checks of what this process reaches and of how it is reached: the public addresses and their certificate, and mail.
import { X509Certificate } from "node:crypto";
import { get as getHttp, type IncomingMessage } from "node:http";
import { get as getHttps } from "node:https";
import { isIP } from "node:net";
import { text } from "node:stream/consumers";
import { shownHost } from "#/app/roles/port-fault.ts";
import { bad, type Check, doubtful, good, rated, timeOf } from "#/cli/doctor/check.ts";
import { isMailMissing, mailMissing, tryMailServer } from "#/delivery/mail/transport.ts";
import type { Config } from "#/kernel/config/config.ts";
import { stallMs } from "#/kernel/telemetry/loop-watch.ts";
import { dayMs } from "#/kernel/values/durations.ts";

const answerMsMax = 3_000;
const expiryDaysWarn = 30;
const expiryDaysFail = 3;

/**
 * Checks the certificate that this process serves; none where a proxy serves its own, which the public addresses show.
 */
export function certificateChecks({ http }: Pick<Config, "http">, nowMs: number): readonly Check[] {
  if (http.tls === undefined) return [];
  try {
    return [certificateCheck(new X509Certificate(http.tls.cert), http, nowMs)];
  } catch (error) {
    return [bad("TLS certificate", `cannot be read (${(error as Error).message})`, "correct CROSSDOCK_TLS_CERT")];
  }
}

function certificateCheck(certificate: X509Certificate, http: Config["http"], nowMs: number): Check {
  const name = "TLS certificate";
  const leftMs = certificate.validToDate.getTime() - nowMs;
  const until = certificate.validToDate.toISOString().slice(0, 10);
  const advice = "replace the files of CROSSDOCK_TLS_CERT and CROSSDOCK_TLS_KEY, and restart";
  if (leftMs < 0) return bad(name, `expired on ${until}`, advice);
  if (certificate.validFromDate.getTime() > nowMs)
    return bad(name, `is not valid before ${certificate.validFromDate.toISOString()}`, "check this machine's clock");
  const hosts = new Set(publicAddresses(http).map(({ url }) => new URL(url).hostname));
  const strange = [...hosts].filter((host) => !isFor(certificate, host));
  if (strange.length > 0) return bad(name, `does not cover ${strange.join(", ")}`, advice);
  const days = leftMs / dayMs;
  return rated(name, `is valid until ${until}, for ${timeOf(leftMs / 1000)}`, advice, {
    fail: days < expiryDaysFail,
    warn: days < expiryDaysWarn,
  });
}

function isFor(certificate: X509Certificate, host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, "");
  return (isIP(bare) === 0 ? certificate.checkHost(bare) : certificate.checkIP(bare)) !== undefined;
}

function publicAddresses({ baseUrl, authUrl, feedUrl }: Config["http"]) {
  const named = { CROSSDOCK_BASE_URL: baseUrl, CROSSDOCK_AUTH_URL: authUrl, CROSSDOCK_FEED_URL: feedUrl };
  return Object.entries(named).flatMap(([variable, url]) => (url === undefined ? [] : [{ variable, url }]));
}

/** Whether each public address leads to a Crossdock server, as seen by a client. */
export async function addressChecks({ http, roles }: Pick<Config, "http" | "roles">): Promise<readonly Check[]> {
  const isHttp = roles.some((role) => ["api", "feeds", "auth", "console"].includes(role));
  const addresses = publicAddresses(http);
  if (addresses.length === 0 || !isHttp) return [good("public address", "the listener's; no public address is set")];
  return Promise.all(addresses.map(({ variable, url }) => addressCheck(variable, url)));
}

async function addressCheck(variable: string, url: string): Promise<Check> {
  const name = `public address ${variable.replace(/^CROSSDOCK_|_URL$/g, "").toLowerCase()}`;
  const answer = await ask(new URL("/healthz", url));
  if (typeof answer !== "string") {
    answer.resume();
    return good(name, `${url} leads here`);
  }
  if (answer === stranger)
    return bad(name, `${url} leads to another program`, `correct ${variable}, or the proxy in front of this server`);
  const isCertificate = /CERT|TLS|SSL|SELF_SIGNED|ALTNAME|UNABLE_TO/.test(answer);
  return isCertificate
    ? bad(
        name,
        `${url} has a certificate that is not trusted (${answer})`,
        "clients will refuse it: renew it, or send its whole chain",
      )
    : doubtful(
        name,
        `${url} does not answer (${answer})`,
        `start the server; if it runs, check ${variable}, DNS, and the proxy in front of it. Some networks do not let a machine reach its own public address`,
      );
}

const stranger = "another program answers";

/** The answer of a Crossdock server, or the reason why there is none. */
function ask(url: URL, rejectUnauthorized = true): Promise<IncomingMessage | string> {
  const signal = AbortSignal.timeout(answerMsMax);
  return new Promise((resolve) => {
    const onAnswer = (response: IncomingMessage) => {
      // Every Crossdock answer has a token: no other server sends it.
      if (response.statusCode === 200 && response.headers["x-correlation-token"] !== undefined)
        return resolve(response);
      response.resume();
      resolve(stranger);
    };
    const options = { agent: false, signal, rejectUnauthorized };
    const request = url.protocol === "https:" ? getHttps(url, options, onAnswer) : getHttp(url, options, onAnswer);
    request.once("error", (error: NodeJS.ErrnoException) =>
      resolve(signal.aborted ? "no answer within 3 s" : (error.code ?? error.message)),
    );
  });
}

const stepSecondsMax = stallMs / 1_000;

/** The longest step of the server that runs here; none where none runs. */
export async function stepChecks({ http }: Pick<Config, "http">): Promise<readonly Check[]> {
  if (http.port === 0) return [];
  const host = shownHost(http.host);
  const origin = `${http.tls ? "https" : "http"}://${host.includes(":") ? `[${host}]` : host}:${http.port}`;
  try {
    // Whether the certificate is trusted is the check of the public addresses.
    const answer = await ask(new URL("/metrics", origin), false);
    return typeof answer === "string" ? [] : [stepCheck(await text(answer))];
  } catch {
    return [];
  }
}

/** @param exposed the text of `/metrics` */
export function stepCheck(exposed: string): Check {
  const steps = [...exposed.matchAll(/^crossdock_event_loop_step_max_seconds\{route="([^"]*)"\} (\S+)$/gm)];
  const [longest] = steps.sort(([, , left], [, , right]) => Number(right) - Number(left));
  const [, route, seconds] = longest ?? [];
  if (route === undefined || Number(seconds) <= stepSecondsMax) {
    return good("event loop", `no step took over ${stepSecondsMax} s of processor time`);
  }
  const took = `${Number(seconds).toFixed(1)} s of processor time in one step of ${route}`;
  return doubtful(
    "event loop",
    `${took}: no other request was served meanwhile`,
    "report it with the request: docs/observability.md#crossdocklongstep",
  );
}

const mailMsMax = 2_000;

/** Whether the mail server answers and accepts the credentials; no mail is sent. Ports as nodemailer chooses them. */
export async function mailCheck({
  mail: { smtpUrl },
  environment,
}: Pick<Config, "mail" | "environment">): Promise<Check> {
  if (smtpUrl === undefined) {
    return isMailMissing({ smtpUrl, environment })
      ? doubtful("mail", `${mailMissing}; mails are stored and shown in the console`, "set CROSSDOCK_SMTP_URL")
      : good("mail", "is stored and shown in the console");
  }
  const { protocol, hostname, port, username } = new URL(smtpUrl);
  const place = `${hostname}:${port || (protocol === "smtps:" ? 465 : 587)}`;
  const failure = await tryMailServer(smtpUrl, mailMsMax);
  return failure === undefined
    ? good("mail", `${place} greets us${username === "" ? "" : " and accepts our sign-in"}`)
    : bad(
        "mail",
        `${place} does not accept mail (${failure})`,
        "correct CROSSDOCK_SMTP_URL, or let this machine reach it",
      );
}
