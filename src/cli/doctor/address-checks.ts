// Checks the public addresses of this deployment, and the certificate that clients receive there.
import { X509Certificate } from "node:crypto";
import { get as getHttp, type IncomingMessage } from "node:http";
import { get as getHttps } from "node:https";
import { isIP } from "node:net";
import { bad, type Check, doubtful, good, timeOf } from "#/cli/doctor/check.ts";
import type { Config } from "#/kernel/config/config.ts";
import { dayMs } from "#/kernel/values/durations.ts";

const answerMsMax = 3_000;
const expiryDaysWarn = 30;
const expiryDaysFail = 3;

/**
 * Checks the certificate that this process serves; none where a proxy serves its own, which the public addresses show.
 */
export function certificateChecks({ http }: Pick<Config, "http">, nowMs: number): readonly Check[] {
  if (http.tls === undefined) return [];
  const names = [http.baseUrl, http.authUrl, http.feedUrl].flatMap((url) =>
    url === undefined ? [] : new URL(url).hostname,
  );
  try {
    return [certificateCheck(new X509Certificate(http.tls.cert), new Set(names), nowMs)];
  } catch (error) {
    return [bad("TLS certificate", `cannot be read (${(error as Error).message})`, "correct CROSSDOCK_TLS_CERT")];
  }
}

function certificateCheck(certificate: X509Certificate, hosts: ReadonlySet<string>, nowMs: number): Check {
  const name = "TLS certificate";
  const leftMs = certificate.validToDate.getTime() - nowMs;
  const until = certificate.validToDate.toISOString().slice(0, 10);
  const advice = "replace the files of CROSSDOCK_TLS_CERT and CROSSDOCK_TLS_KEY, and restart";
  if (leftMs < 0) return bad(name, `expired on ${until}`, advice);
  if (certificate.validFromDate.getTime() > nowMs)
    return bad(name, `is not valid before ${certificate.validFromDate.toISOString()}`, "check this machine's clock");
  const strange = [...hosts].filter((host) => !isFor(certificate, host));
  if (strange.length > 0) return bad(name, `does not cover ${strange.join(", ")}`, advice);
  const text = `is valid until ${until}, for ${timeOf(leftMs / 1000)}`;
  if (leftMs < expiryDaysFail * dayMs) return bad(name, text, advice);
  return leftMs < expiryDaysWarn * dayMs ? doubtful(name, text, advice) : good(name, text);
}

function isFor(certificate: X509Certificate, host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, "");
  return (isIP(bare) === 0 ? certificate.checkHost(bare) : certificate.checkIP(bare)) !== undefined;
}

/** Whether each public address leads to a Crossdock server, as seen by a client. */
export async function addressChecks({ http, roles }: Pick<Config, "http" | "roles">): Promise<readonly Check[]> {
  const isHttp = roles.some((role) => ["api", "feeds", "auth", "console"].includes(role));
  const named = [
    { variable: "CROSSDOCK_BASE_URL", url: http.baseUrl },
    { variable: "CROSSDOCK_AUTH_URL", url: http.authUrl },
    { variable: "CROSSDOCK_FEED_URL", url: http.feedUrl },
  ];
  const addresses = named.flatMap(({ variable, url }) => (url === undefined ? [] : [{ variable, url }]));
  if (addresses.length === 0 || !isHttp) return [good("public address", "the listener's; no public address is set")];
  return Promise.all(addresses.map(({ variable, url }) => addressCheck(variable, url)));
}

async function addressCheck(variable: string, url: string): Promise<Check> {
  const name = `public address ${variable.replace(/^CROSSDOCK_|_URL$/g, "").toLowerCase()}`;
  const answer = await ask(new URL("/healthz", url));
  if (answer === "ours") return good(name, `${url} leads here`);
  if (answer === "other")
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

/** `ours`, `other`, or the reason of a missing answer. */
function ask(url: URL): Promise<string> {
  const signal = AbortSignal.timeout(answerMsMax);
  return new Promise((resolve) => {
    const onAnswer = (response: IncomingMessage) => {
      response.resume();
      resolve(response.statusCode === 200 && response.headers["x-correlation-token"] !== undefined ? "ours" : "other");
    };
    const get = url.protocol === "https:" ? getHttps : getHttp;
    get(url, { agent: false, signal }, onAnswer).once("error", (error: NodeJS.ErrnoException) =>
      resolve(signal.aborted ? "no answer within 3 s" : (error.code ?? error.message)),
    );
  });
}
