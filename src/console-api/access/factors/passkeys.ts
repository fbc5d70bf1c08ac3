// Passkeys (WebAuthn level 3) by @simplewebauthn/server, which is loaded on the first use: it takes 0.2 s.

import { createRequire } from "node:module";
import { isIP } from "node:net";
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from "@simplewebauthn/server";
import { asideOfSteps } from "#/kernel/telemetry/loop-watch.ts";
import { minuteMs } from "#/kernel/values/durations.ts";

const require = createRequire(import.meta.url);
const library = () => asideOfSteps(() => require("@simplewebauthn/server") as typeof import("@simplewebauthn/server"));

/** Lifetime of a challenge. */
export const challengeMsMax = 5 * minuteMs;

/** The owner of the passkeys: a browser offers them only to pages of this origin. */
export interface RelyingParty {
  readonly id: string;
  readonly origin: string;
}

/**
 * Undefined where passkeys are impossible: WebAuthn requires a name instead of an address, and https except for
 * localhost.
 */
export function relyingPartyOf(consoleUrl: string): RelyingParty | undefined {
  const { protocol, hostname, port, origin } = new URL(consoleUrl);
  if (/^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)) {
    return { id: "localhost", origin: `${protocol}//localhost${port === "" ? "" : `:${port}`}` };
  }
  const isName = isIP(hostname.replace(/^\[|\]$/g, "")) === 0;
  return isName && protocol === "https:" ? { id: hostname, origin } : undefined;
}

/** The stored data of a passkey. */
export interface Passkey {
  /** Base64url. */
  readonly credentialId: string;
  /** COSE. */
  readonly publicKey: Uint8Array;
  /** Increases with each use; always 0 where the authenticator does not count. */
  readonly signCount: number;
  readonly transports: readonly string[];
}

type Known = Pick<Passkey, "credentialId" | "transports">;

/** EdDSA, ES256, RS256 (COSE). By default the library tries experimental ones of Node, which logs a warning. */
const supportedAlgorithmIDs = [-8, -7, -257];

/** The password comes first, so touching the key is enough; a PIN is requested where the authenticator has one. */
const userVerification = "preferred";

export async function creationOptions(
  { id: rpID }: RelyingParty,
  { userName, passkeys }: { readonly userName: string; readonly passkeys: readonly Known[] },
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { generateRegistrationOptions } = library();
  return generateRegistrationOptions({
    rpName: "Crossdock",
    rpID,
    userName,
    timeout: challengeMsMax,
    attestationType: "none",
    userID: new TextEncoder().encode(userName.slice(0, 64)),
    excludeCredentials: passkeys.map(credentialOf),
    supportedAlgorithmIDs,
    authenticatorSelection: { residentKey: "discouraged", userVerification },
  });
}

export async function requestOptions(
  { id: rpID }: RelyingParty,
  passkeys: readonly Known[],
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const { generateAuthenticationOptions } = library();
  return generateAuthenticationOptions({
    rpID,
    timeout: challengeMsMax,
    userVerification,
    allowCredentials: passkeys.map(credentialOf),
  });
}

const credentialOf = ({ credentialId: id, transports }: Known) => ({ id, transports: [...transports] });

/** The passkey that answers the challenge; undefined where the answer does not match it. */
export async function passkeyOf(
  { id, origin }: RelyingParty,
  challenge: string,
  response: RegistrationResponseJSON,
): Promise<Passkey | undefined> {
  const { verifyRegistrationResponse } = library();
  const verified = await verifyRegistrationResponse({
    response,
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: id,
    supportedAlgorithmIDs,
    requireUserVerification: false,
  }).catch(refusedOnly);
  if (!verified?.verified) return undefined;
  const { credential } = verified.registrationInfo;
  const { publicKey, counter: signCount, transports = [] } = credential;
  return { credentialId: credential.id, publicKey, signCount, transports };
}

/**
 * The signature count of the use; undefined where the answer does not come from this passkey, or comes from a copy of
 * it.
 */
export async function signCountOf(
  { id: rpID, origin }: RelyingParty,
  challenge: string,
  { passkey, response }: { readonly passkey: Passkey; readonly response: AuthenticationResponseJSON },
): Promise<number | undefined> {
  const { verifyAuthenticationResponse } = library();
  const { credentialId, publicKey, signCount, transports } = passkey;
  const credential = {
    id: credentialId,
    publicKey: new Uint8Array(publicKey),
    counter: signCount,
    transports: [...transports],
  };
  const verified = await verifyAuthenticationResponse({
    response,
    credential,
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: rpID,
    requireUserVerification: false,
  }).catch(refusedOnly);
  return verified?.verified ? verified.authenticationInfo.newCounter : undefined;
}

/** The library throws for every fault of an answer, which external input causes. */
function refusedOnly(error: unknown): undefined {
  if (error instanceof Error) return undefined;
  throw error;
}
