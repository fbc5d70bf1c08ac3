import { get as getHttp, type IncomingMessage } from "node:http";
import { get as getHttps } from "node:https";
import { connect, createServer } from "node:net";
import { text } from "node:stream/consumers";
import { bad, type Check, doubtful, good } from "#/cli/doctor/check.ts";
import { isMailMissing, mailMissing, tryMailServer } from "#/delivery/mail/transport.ts";
import type { Config } from "#/kernel/config/config.ts";
import { stallMs } from "#/kernel/telemetry/loop-watch.ts";

const answerMsMax = 3_000;
/** A server on this machine sends its banner at once. */
const bannerMsMax = 1_000;

/** Each port that this configuration listens on: free, or held by a Crossdock server that answers on it. */
export async function portChecks({ http, sftp, roles }: Config): Promise<readonly Check[]> {
  const checks = [portCheck("HTTP port", http.host, http.port, "PORT", () => isOurHttp(http))];
  if (sftp.port !== "off" && roles.includes("sftp")) {
    const port = sftp.port;
    checks.push(portCheck("SFTP port", http.host, port, "CROSSDOCK_SFTP_PORT", () => isSsh(http.host, port)));
  }
  return Promise.all([...checks, ...(await stepChecks(http))]);
}

const stepSecondsMax = stallMs / 1_000;

/** The longest step of the server that runs here; none where none runs, or none had a long step. */
async function stepChecks(http: Config["http"]): Promise<readonly Check[]> {
  const exposed = http.port === 0 ? undefined : await readMetrics(http);
  return exposed === undefined ? [] : [stepCheck(exposed)];
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

async function portCheck(
  name: string,
  host: string,
  port: number,
  variable: string,
  isOurs: () => Promise<boolean>,
): Promise<Check> {
  if (port === 0) return good(name, "a free port is chosen at the start");
  const place = `${host}:${port}`;
  const failure = await listenFailure(host, port);
  if (failure === undefined) return good(name, `${place} is free`);
  if (failure !== "EADDRINUSE") {
    return bad(name, `cannot listen on ${place} (${failure})`, `set ${variable} or CROSSDOCK_HOST`);
  }
  return (await isOurs())
    ? good(name, `${place} is used by a running server`)
    : bad(name, `${place} is used by another program`, `stop it, or set ${variable} to another port`);
}

function listenFailure(host: string, port: number): Promise<string | undefined> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen(port, host, () => server.close(() => resolve(undefined)));
  });
}

/** Replaces an address that means "all" by the loopback address. */
function reachable(host: string): string {
  if (host === "0.0.0.0") return "127.0.0.1";
  return host === "::" ? "::1" : host;
}

async function isOurHttp(http: Config["http"]): Promise<boolean> {
  const answer = await ask(http, "/healthz");
  answer?.resume();
  return answer !== undefined;
}

/** Undefined where no server of ours answers. */
async function readMetrics(http: Config["http"]): Promise<string | undefined> {
  try {
    const answer = await ask(http, "/metrics");
    return answer && (await text(answer));
  } catch {
    return undefined;
  }
}

function ask({ host, port, tls }: Config["http"], path: string): Promise<IncomingMessage | undefined> {
  const options = { host: reachable(host), port, path, timeout: answerMsMax, agent: false };
  return new Promise((resolve) => {
    const onAnswer = (response: IncomingMessage) => {
      // Every Crossdock answer has a token: no other server on this port sends it.
      if (response.statusCode === 200 && response.headers["x-correlation-token"] !== undefined) resolve(response);
      else {
        response.resume();
        resolve(undefined);
      }
    };
    // This check ignores whether the certificate is trusted.
    const request = tls ? getHttps({ ...options, rejectUnauthorized: false }, onAnswer) : getHttp(options, onAnswer);
    request.once("error", () => resolve(undefined)).once("timeout", () => request.destroy());
  });
}

function isSsh(host: string, port: number): Promise<boolean> {
  const socket = connect({ host: reachable(host), port, timeout: bannerMsMax });
  return new Promise<boolean>((resolve) => {
    socket.once("data", (banner) => resolve(banner.toString("latin1").startsWith("SSH-2.0-")));
    socket
      .once("error", () => resolve(false))
      .once("timeout", () => resolve(false))
      .once("end", () => resolve(false));
  }).finally(() => socket.destroy());
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
