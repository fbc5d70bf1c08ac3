import assert from "node:assert/strict";
import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { test } from "node:test";
import { readPublicKey } from "#/modules/clients/credentials/public-key.ts";

function blob(...fields: readonly Uint8Array[]): string {
  const parts = fields.flatMap((field) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(field.length);
    return [length, field];
  });
  return Buffer.concat(parts).toString("base64");
}

const field = (key: KeyObject, name: "e" | "n" | "x" | "y") =>
  Buffer.from(key.export({ format: "jwk" })[name] as string, "base64url");

/** A number in the format of RFC 4251 §5: a zero byte keeps its high bit from being a sign. */
const positive = (bytes: Buffer) => ((bytes[0] as number) > 127 ? Buffer.concat([Buffer.alloc(1), bytes]) : bytes);

function rsaLine(bits: number): string {
  const { publicKey } = generateKeyPairSync("rsa", { modulusLength: bits });
  return `ssh-rsa ${blob(Buffer.from("ssh-rsa"), positive(field(publicKey, "e")), positive(field(publicKey, "n")))}`;
}

const ed25519 = generateKeyPairSync("ed25519").publicKey;
const ed25519Line = `ssh-ed25519 ${blob(Buffer.from("ssh-ed25519"), field(ed25519, "x"))}`;

test("keys of OpenSSH are accepted without their comments", () => {
  const lines = [ed25519Line, rsaLine(2048)];
  for (const curve of ["nistp256", "nistp384", "nistp521"]) {
    const { publicKey } = generateKeyPairSync("ec", { namedCurve: curve.replace("nistp", "P-") });
    const point = Buffer.concat([Buffer.from([4]), field(publicKey, "x"), field(publicKey, "y")]);
    const type = `ecdsa-sha2-${curve}`;
    lines.push(`${type} ${blob(Buffer.from(type), Buffer.from(curve), point)}`);
  }
  for (const line of lines) {
    assert.deepEqual(readPublicKey(`${line} anna@laptop\r\n`), { ok: true, value: line });
  }
});

test("a key of ssh-keygen itself is taken", () => {
  const line = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl";
  assert.deepEqual(readPublicKey(`# GitHub's host key\n${line} github.com\n`), { ok: true, value: line });
});

test("a private key is refused with a warning", () => {
  const { privateKey } = generateKeyPairSync("ed25519");
  const read = readPublicKey(privateKey.export({ format: "pem", type: "pkcs8" }) as string);
  assert(!read.ok);
  assert.match(read.fault, /^this is a private key/);
});

test("a short RSA key is refused with its length", () => {
  const read = readPublicKey(rsaLine(1024));
  assert(!read.ok);
  assert.match(read.fault, /at least 2048 bits, this one has 1024/);
});

test("a text that is not a public key is refused", () => {
  const [type, base64] = ed25519Line.split(" ") as [string, string];
  const offCurve = Buffer.concat([Buffer.from([4]), Buffer.alloc(64, 1)]);
  const wrong = [
    "",
    "hello",
    `${type}`,
    `ssh-rsa ${base64}`,
    `${type} ${base64.slice(0, -8)}`,
    `${type} ${base64}AAAA`,
    `${ed25519Line}\n${ed25519Line}`,
    `ssh-dss ${blob(Buffer.from("ssh-dss"), Buffer.alloc(20, 1))}`,
    `ecdsa-sha2-nistp256 ${blob(Buffer.from("ecdsa-sha2-nistp256"), Buffer.from("nistp256"), offCurve)}`,
    `restrict ${ed25519Line}`,
  ];
  for (const content of wrong) {
    const read = readPublicKey(content);
    assert(!read.ok, content);
    assert.match(read.fault, /^expected one public key/);
  }
});
