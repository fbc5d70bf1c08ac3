// Webhook dependencies for tests of the other services: nothing is sent.
import { createSecretBox } from "#/kernel/security/secret-box.ts";

export const noWebhooks = {
  allowsPlainHttp: true,
  refusalOfUrl: () => undefined,
  secretBox: createSecretBox("a master key for tests, long enough"),
  sendNow: () => Promise.reject(new Error("nothing is sent here")),
  environment: "sandbox",
  version: "1.0.0",
  signingKey: () => Promise.reject(new Error("nothing is signed here")),
};
