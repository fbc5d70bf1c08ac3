import { createPublicKey, type KeyObject, type webcrypto } from "node:crypto";
import { ok, type Result, refused } from "#/kernel/result.ts";

const rsaBitsMin = 2048;

/** Curve of RFC 5656 → its name in a JWK (RFC 7518 §6.2.1.1) and the length of a coordinate in bytes. */
const curves: Readonly<Record<string, readonly [string, number]>> = {
  nistp256: ["P-256", 32],
  nistp384: ["P-384", 48],
  nistp521: ["P-521", 66],
};

const expected =
  "expected one public key as in the .pub file of ssh-keygen (ssh-ed25519, ecdsa-sha2-nistp… or ssh-rsa)";

/**
 * Reads an OpenSSH public key file (RFC 4253 §6.6, RFC 5656 §3.1, RFC 8709 §4) and verifies that the key is valid.
 *
 * @returns `type base64`, without the comment, which may name a person.
 */
export function readPublicKey(content: string): Result<string, string> {
  if (content.includes("PRIVATE KEY"))
    return refused("this is a private key, which must stay secret; send the .pub file");
  const lines = content.split(/\r?\n/).filter((line) => line.trim() !== "" && !line.startsWith("#"));
  const [type = "", base64 = ""] = lines[0]?.trim().split(/[ \t]+/) ?? [];
  if (lines.length !== 1 || !/^[A-Za-z0-9+/]{20,}={0,2}$/.test(base64)) return refused(expected);
  const fields = fieldsOf(Buffer.from(base64, "base64"));
  if (fields?.[0]?.toString() !== type) return refused(expected);
  const key = keyOf(type, fields);
  if (key === undefined) return refused(expected);
  const bits = key.asymmetricKeyDetails?.modulusLength;
  if (bits !== undefined && bits < rsaBitsMin) {
    return refused(
      `an RSA key needs at least ${rsaBitsMin} bits, this one has ${bits}; ssh-keygen -t ed25519 creates a better one`,
    );
  }
  return ok(`${type} ${base64}`);
}

/** The strings of RFC 4251 §5 in a blob, or undefined if they do not fill it exactly. */
function fieldsOf(blob: Buffer): Buffer[] | undefined {
  const fields: Buffer[] = [];
  for (let at = 0; at < blob.length; ) {
    if (at + 4 > blob.length) return undefined;
    const end = at + 4 + blob.readUInt32BE(at);
    if (end > blob.length) return undefined;
    fields.push(blob.subarray(at + 4, end));
    at = end;
  }
  return fields;
}

function keyOf(type: string, fields: readonly Buffer[]): KeyObject | undefined {
  const [, second = Buffer.alloc(0), third = Buffer.alloc(0)] = fields;
  if (type === "ssh-ed25519" && fields.length === 2) {
    return keyFromJwk({ kty: "OKP", crv: "Ed25519", x: second.toString("base64url") });
  }
  if (type === "ssh-rsa" && fields.length === 3) {
    return keyFromJwk({ kty: "RSA", e: magnitude(second), n: magnitude(third) });
  }
  const [crv, size] = curves[type.replace("ecdsa-sha2-", "")] ?? [];
  const isPoint = size !== undefined && third.length === 1 + 2 * size && third[0] === 4;
  if (crv === undefined || !isPoint || fields.length !== 3 || `ecdsa-sha2-${second}` !== type) return undefined;
  return keyFromJwk({
    kty: "EC",
    crv,
    x: third.subarray(1, 1 + size).toString("base64url"),
    y: third.subarray(1 + size).toString("base64url"),
  });
}

/** A positive number with a high bit has a leading zero byte in a blob, but not in a JWK. */
function magnitude(number: Buffer): string {
  return number.subarray(number[0] === 0 ? 1 : 0).toString("base64url");
}

/** OpenSSL checks that the numbers are a valid key, for example a point on its curve. */
function keyFromJwk(jwk: webcrypto.JsonWebKey): KeyObject | undefined {
  try {
    return createPublicKey({ key: jwk, format: "jwk" });
  } catch {
    return undefined;
  }
}
