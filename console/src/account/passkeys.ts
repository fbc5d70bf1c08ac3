import {
  browserSupportsWebAuthn,
  startAuthentication,
  startRegistration,
  WebAuthnError,
} from "@simplewebauthn/browser";
import { api } from "../api.ts";

/** Whether this browser, at this URL, can use the console's passkeys. */
export function canPasskeys(origin: string | null): boolean {
  return origin === window.location.origin && browserSupportsWebAuthn();
}

type Options<Function extends (input: never) => unknown> = Function extends (input: {
  optionsJSON: infer It;
}) => unknown
  ? It
  : never;

/** @throws {Error} with a message, if the browser created none */
export async function makePasskey(): Promise<Record<string, unknown>> {
  const options = await api.POST("/factor/beginPasskey");
  const optionsJSON = options as unknown as Options<typeof startRegistration>;
  return { ...(await startRegistration({ optionsJSON }).catch(inWords)) };
}

/** @throws {Error} with a message, if the browser returned no response */
export async function answerChallenge(): Promise<Record<string, unknown>> {
  const options = await api.POST("/session/challenge");
  const optionsJSON = options as unknown as Options<typeof startAuthentication>;
  return { ...(await startAuthentication({ optionsJSON }).catch(inWords)) };
}

function inWords(error: unknown): never {
  if (error instanceof WebAuthnError && error.code === "ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED") {
    throw new Error("This device already has one of your passkeys.");
  }
  if (error instanceof Error && (error.name === "NotAllowedError" || error.name === "AbortError")) {
    throw new Error(
      "No passkey was used: the request was cancelled or timed out, or this device has no passkey. Try again.",
    );
  }
  throw error;
}
