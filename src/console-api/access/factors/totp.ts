// Time-based one-time passwords (RFC 6238) in the form of authenticator apps: SHA-1, 6 digits, 30 s.
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import barcodes from "bwip-js/node";
import { assert } from "#/kernel/assert.ts";

const stepMs = 30_000;
const digits = 6;
/** As long as the hash, as RFC 4226 §4 recommends. */
const secretBytes = 20;
/** Clocks of telephones differ: the preceding and the following code are accepted too. */
const drift = 1;

export function makeTotpSecret(): Buffer {
  return randomBytes(secretBytes);
}

export function totpCode(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const hash = createHmac("sha1", secret).update(counter).digest();
  const offset = (hash.at(-1) as number) & 15;
  return String((hash.readUInt32BE(offset) & 0x7fff_ffff) % 10 ** digits).padStart(digits, "0");
}

export function totpStepAt(nowMs: number): number {
  return Math.floor(nowMs / stepMs);
}

/**
 * The time step of the code; undefined where the code belongs to no near step, or to one that is not after `lastStep`.
 */
export function stepOfCode(secret: Buffer, code: string, at: { readonly nowMs: number; readonly lastStep: number }) {
  if (!/^\d{6}$/.test(code)) return undefined;
  const now = totpStepAt(at.nowMs);
  for (let step = now - drift; step <= now + drift; step++) {
    const isCode = timingSafeEqual(Buffer.from(totpCode(secret, step)), Buffer.from(code));
    if (isCode && step > at.lastStep) return step;
  }
  return undefined;
}

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** RFC 4648 §6; the length is a multiple of five bytes, so there is no padding. */
export function base32Of(bytes: Buffer): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, "0")).join("");
  return bits.replace(/.{5}/g, (five) => alphabet.charAt(Number.parseInt(five, 2)));
}

/** The URI that an authenticator app reads. @see https://github.com/google/google-authenticator/wiki/Key-Uri-Format */
export function totpAddress(
  secret: Buffer,
  { issuer, userName }: { readonly issuer: string; readonly userName: string },
) {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(userName)}`;
  return `otpauth://totp/${label}?secret=${base32Of(secret)}&issuer=${encodeURIComponent(issuer)}`;
}

export interface QrCode {
  /** Modules of a side, without the quiet zone. */
  readonly size: number;
  /** The dark modules as the path of an SVG, one unit per module. */
  readonly path: string;
}

export function qrCodeOf(text: string): QrCode {
  const [symbol] = barcodes.raw({ bcid: "qrcode", text });
  assert(symbol && "pixs" in symbol, "bwip-js made no QR code");
  const { pixs, pixx: size } = symbol;
  const path = Array.from(pixs, (isDark, i) => (isDark ? `M${i % size} ${Math.floor(i / size)}h1v1h-1z` : "")).join("");
  return { size, path };
}
