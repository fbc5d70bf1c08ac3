/** Connections to receivers: to checked addresses, within a time limit, with the duration of each step. */
import { once } from "node:events";
import { connect, isIP, type LookupFunction, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { BlockedError, ExpiredError, type Stage } from "#/delivery/webhooks/sending/answer.ts";
import { type FoundAddress, findAddresses, type Lookup } from "#/delivery/webhooks/sending/lookup.ts";
import { type AddressPolicy, refusalOfAddress } from "#/kernel/security/address-policy.ts";

export interface ConnectionRules {
  readonly policy: AddressPolicy;
  readonly lookup: Lookup;
  /** For the lookup, the connection and the TLS handshake together. */
  readonly connectMsMax: number;
  /** Aborts connections that are being opened. */
  readonly closing: AbortSignal;
}

export interface ConnectionTarget {
  /** Without brackets. */
  readonly hostname: string;
  readonly port: number;
  readonly isTls: boolean;
}

/** The state of a connection, during its setup and afterwards. */
export interface Progress {
  /** Of the monotonic clock. */
  readonly startedMs: number;
  stage: Stage;
  /** The address connected to, or the last one attempted. */
  address: string | undefined;
  /** Milliseconds. */
  readonly phases: { lookup?: number; connect?: number; tls?: number };
}

export const beginning = (): Progress => ({
  startedMs: performance.now(),
  stage: "lookup",
  address: undefined,
  phases: {},
});

/**
 * Opens a connection for an HTTP request, with a verified certificate.
 *
 * @param progress is kept up to date, so that a failure shows the stage reached.
 * @throws BlockedError, ExpiredError, or the error of the lookup, the network or TLS.
 */
export async function openConnection(
  rules: ConnectionRules,
  target: ConnectionTarget,
  progress: Progress,
): Promise<Socket> {
  const { connectMsMax, closing } = rules;
  const expiry = Promise.withResolvers<never>();
  const opening: Opening = { isOver: false, socket: undefined };
  const timer = setTimeout(
    () => expiry.reject(new ExpiredError(`no connection within ${connectMsMax} ms: ${stageWords[progress.stage]}`)),
    connectMsMax,
  );
  const giveUp = (): void => expiry.reject(new Error("the sender was closed"));
  closing.addEventListener("abort", giveUp);
  try {
    return await Promise.race([open(rules, target, progress, opening), expiry.promise]);
  } catch (error) {
    opening.isOver = true;
    opening.socket?.destroy();
    throw error;
  } finally {
    clearTimeout(timer);
    closing.removeEventListener("abort", giveUp);
  }
}

interface Opening {
  /** The caller no longer waits for the connection. */
  isOver: boolean;
  socket: Socket | undefined;
}

const stageWords: Readonly<Record<Stage, string>> = {
  lookup: "the name lookup did not end",
  connect: "the receiver did not accept the connection",
  tls: "the TLS handshake did not end",
  exchange: "it was open",
};

async function open(
  { lookup, policy }: ConnectionRules,
  { hostname, port, isTls }: ConnectionTarget,
  progress: Progress,
  opening: Opening,
): Promise<Socket> {
  let sinceMs = progress.startedMs;
  const endPhase = (phase: keyof Progress["phases"], next: Stage): void => {
    const nowMs = performance.now();
    progress.phases[phase] = nowMs - sinceMs;
    progress.stage = next;
    sinceMs = nowMs;
  };
  const found = await findAddresses(lookup, policy, hostname);
  endPhase("lookup", "connect");
  if (opening.isOver) throw new ExpiredError("the timeout expired");
  const plain = connect({ host: hostname, port, lookup: answering(found), autoSelectFamily: true, noDelay: true });
  opening.socket = plain;
  plain.on("connectionAttempt", (address: string) => {
    progress.address = address;
  });
  await whenReady(plain, "connect");
  progress.address = plain.remoteAddress;
  // Checks the address that the system actually connected to.
  const refusal = refusalOfAddress(policy, plain.remoteAddress ?? "");
  if (refusal !== undefined) throw new BlockedError(refusal);
  endPhase("connect", isTls ? "tls" : "exchange");
  if (!isTls) return plain;
  const name = hostname.replace(/\.$/, "");
  // A server name is never an address (RFC 6066 §3); in that case the certificate is checked against `host`.
  const secured = connectTls({ socket: plain, host: name, servername: isIP(name) === 0 ? name : "" });
  opening.socket = secured;
  await whenReady(secured, "secureConnect");
  endPhase("tls", "exchange");
  return secured;
}

async function whenReady(socket: Socket, event: string): Promise<void> {
  // An error between two owners of the socket must not end the process; the close event informs the next owner.
  socket.on("error", () => {});
  await once(socket, event);
}

/** Gives the checked addresses to the socket's own lookup. */
function answering(found: readonly FoundAddress[]): LookupFunction {
  return (_hostname, options, done) => {
    if (options.all) return done(null, [...found]);
    const [{ address, family }] = found as readonly [FoundAddress];
    done(null, address, family);
  };
}
