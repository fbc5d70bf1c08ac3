import { randomBytes } from "node:crypto";
import { sessionHash } from "#/console-api/access/sign-in/cookie.ts";

/** No cookie of a session has this beginning, so that no token is taken for one. */
const prefix = "xda_";
const header = new RegExp(`^bearer +(${prefix}[\\w-]{43})$`, "i");

export const makeAgentToken = (): string => prefix + randomBytes(32).toString("base64url");

/** The token for an agent in the header Authorization; undefined for any other. */
export const agentTokenIn = (authorization: string | undefined): string | undefined =>
  authorization === undefined ? undefined : header.exec(authorization.trim())?.[1];

/** The id by which users and the audit log name a token: its hash, which gives no access. */
export const tokenIdOf = (sha256: Buffer): string => sha256.toString("base64url");

export const agentTokenHash = sessionHash;
