import assert from "node:assert/strict";
import { test } from "node:test";
import {
  base32Of,
  qrCodeOf,
  stepOfCode,
  totpAddress,
  totpCode,
  totpStepAt,
} from "#/console-api/access/factors/totp.ts";

const secret = Buffer.from("12345678901234567890");

test("codes are those of RFC 6238, Appendix B", () => {
  for (const [seconds, code] of [
    [59, "94287082"],
    [1_111_111_109, "07081804"],
    [1_111_111_111, "14050471"],
    [1_234_567_890, "89005924"],
    [2_000_000_000, "69279037"],
    [20_000_000_000, "65353130"],
  ] as const) {
    // The codes of the RFC have eight digits; ours are their last six.
    assert.equal(totpCode(secret, totpStepAt(seconds * 1_000)), code.slice(2));
  }
});

test("the code of the previous, the present and the next step is accepted, and no other", () => {
  const nowMs = 1_234_567_890_000;
  const now = totpStepAt(nowMs);
  const taken = [-2, -1, 0, 1, 2].map((by) => stepOfCode(secret, totpCode(secret, now + by), { nowMs, lastStep: 0 }));
  assert.deepEqual(taken, [undefined, now - 1, now, now + 1, undefined]);
  for (const code of ["", "12345", "1234567", "12345a", "１２３４５６", " 005924"]) {
    assert.equal(stepOfCode(secret, code, { nowMs, lastStep: 0 }), undefined, code);
  }
});

test("a used code and the code of an earlier step are refused", () => {
  const nowMs = 1_234_567_890_000;
  const now = totpStepAt(nowMs);
  assert.equal(stepOfCode(secret, totpCode(secret, now), { nowMs, lastStep: now }), undefined);
  assert.equal(stepOfCode(secret, totpCode(secret, now - 1), { nowMs, lastStep: now }), undefined);
  assert.equal(stepOfCode(secret, totpCode(secret, now + 1), { nowMs, lastStep: now }), now + 1);
});

test("the secret is given in base32, in a URI with issuer and user", () => {
  assert.equal(base32Of(secret), "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ");
  assert.equal(
    totpAddress(secret, { issuer: "Crossdock", userName: "anna+1@example.com" }),
    "otpauth://totp/Crossdock:anna%2B1%40example.com?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Crossdock",
  );
});

test("a QR code has its three finder patterns, one unit per module", () => {
  const { size, path } = qrCodeOf(
    "otpauth://totp/Crossdock:anna?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Crossdock",
  );
  assert.equal((size - 17) % 4, 0);
  for (const [x, y] of [
    [0, 0],
    [size - 1, 0],
    [0, size - 1],
  ]) {
    assert.ok(path.includes(`M${x} ${y}h1v1h-1z`));
  }
  assert.ok(!path.includes(`M${size - 1} ${size}h`) && !path.includes("M1 1h1v1h-1z"));
});
