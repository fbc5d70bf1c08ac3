// TLS certificates for tests, created on demand: no tool is required, and the repository holds no key.
import { createPrivateKey, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import { isIP } from "node:net";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { dayMs } from "#/kernel/values/durations.ts";

/** PEM texts. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

export interface CertificateOptions {
  /** Names and addresses in the certificate. */
  readonly names: readonly string[];
  /** The signing certificate; self-signed if absent. */
  readonly issuer?: Certificate | undefined;
  /** Whether it may sign other certificates. */
  readonly isAuthority?: boolean;
  /** Expiry, also in the past; default: in one day. */
  readonly until?: Date;
}

const ecdsaWithSha256 = "1.2.840.10045.4.3.2";

/** An X.509 v3 certificate (RFC 5280) with a new P-256 key, valid since two days ago. */
export function makeCertificate({ names, issuer, isAuthority = false, until }: CertificateOptions): Certificate {
  const pair = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const identity = { subject: nameOf(isAuthority), key: pair.privateKey };
  const signer = issuer ? { subject: nameOf(true), key: createPrivateKey(issuer.key) } : identity;
  const alternatives = sequence(
    ...names.map((name) => (isIP(name) === 0 ? der(0x82, Buffer.from(name)) : der(0x87, addressBytes(name)))),
  );
  const extensions = sequence(
    extension("2.5.29.19", sequence(...(isAuthority ? [der(0x01, Buffer.from([0xff]))] : []))),
    ...(names.length > 0 ? [extension("2.5.29.17", alternatives)] : []),
  );
  const algorithm = sequence(objectId(ecdsaWithSha256));
  const content = sequence(
    der(0xa0, integer(Buffer.from([2]))),
    integer(Buffer.concat([Buffer.from([1]), randomBytes(15)])),
    algorithm,
    signer.subject,
    sequence(time(new Date(Date.now() - 2 * dayMs)), time(until ?? new Date(Date.now() + dayMs))),
    identity.subject,
    pair.publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, extensions),
  );
  const signature = sign("sha256", content, signer.key);
  return { cert: pem(sequence(content, algorithm, bitString(signature))), key: keyPem(pair.privateKey) };
}

let authority: Certificate | undefined;

/** A certificate from an authority that this process trusts in addition to the default ones. */
export function trustedCertificate(options: CertificateOptions): Certificate {
  if (authority === undefined) {
    authority = makeCertificate({ names: [], isAuthority: true });
    setDefaultCACertificates([...getCACertificates("default"), authority.cert]);
  }
  return makeCertificate({ ...options, issuer: authority });
}

const nameOf = (isAuthority: boolean): Buffer =>
  sequence(
    der(0x31, sequence(objectId("2.5.4.3"), der(0x0c, Buffer.from(isAuthority ? "Test authority" : "Test receiver")))),
  );

function der(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const head = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...head]), content]);
}

const sequence = (...parts: readonly Buffer[]): Buffer => der(0x30, Buffer.concat(parts));
const integer = (bytes: Buffer): Buffer => der(0x02, bytes);
const bitString = (bytes: Buffer): Buffer => der(0x03, Buffer.concat([Buffer.from([0]), bytes]));
const extension = (id: string, value: Buffer): Buffer => sequence(objectId(id), der(0x04, value));
const time = (at: Date): Buffer => der(0x18, Buffer.from(at.toISOString().replace(/[-:T]|\.\d{3}/g, "")));

function objectId(text: string): Buffer {
  const [first = 0, second = 0, ...rest] = text.split(".").map(Number);
  const bytes = [first * 40 + second];
  for (const number of rest) {
    const digits = [number & 0x7f];
    for (let left = number >> 7; left > 0; left >>= 7) digits.unshift((left & 0x7f) | 0x80);
    bytes.push(...digits);
  }
  return der(0x06, Buffer.from(bytes));
}

function addressBytes(address: string): Buffer {
  if (isIP(address) === 4) return Buffer.from(address.split(".").map(Number));
  const [head = "", tail = ""] = address.split("::");
  const groups = (text: string) => (text === "" ? [] : text.split(":"));
  const zeros = Array<string>(8 - groups(head).length - groups(tail).length).fill("0");
  const all = [...groups(head), ...zeros, ...groups(tail)];
  return Buffer.from(all.map((group) => group.padStart(4, "0")).join(""), "hex");
}

const pem = (content: Buffer): string =>
  `-----BEGIN CERTIFICATE-----\n${(content.toString("base64").match(/.{1,64}/g) ?? []).join("\n")}\n-----END CERTIFICATE-----\n`;

const keyPem = (key: KeyObject): string => key.export({ type: "pkcs8", format: "pem" }) as string;
