import assert from "node:assert/strict";
import { test } from "node:test";
import { createSecretBox } from "#/kernel/security/secret-box.ts";

const first = "a master key of more than 32 characters";
const second = "another master key of more than 32 characters";

test("a ciphertext can be decrypted, and no two are equal", () => {
  const box = createSecretBox(first);
  const sealed = box.seal("päss", "webhook 1");
  assert.equal(box.open(sealed, "webhook 1"), "päss");
  assert.notEqual(box.seal("päss", "webhook 1"), sealed);
  assert.ok(!sealed.includes("päss"));
});

test("a ciphertext can be decrypted only in its own context and unchanged", () => {
  const box = createSecretBox(first);
  const sealed = box.seal("secret", "webhook 1");
  assert.equal(box.open(sealed, "webhook 2"), undefined);
  for (const at of [20, sealed.length - 2]) {
    const changed = sealed.slice(0, at) + (sealed[at] === "A" ? "B" : "A") + sealed.slice(at + 1);
    assert.equal(box.open(changed, "webhook 1"), undefined);
  }
  for (const text of ["", "v1", "v1.x.y", `${sealed.split(".").slice(0, 2).join(".")}.AAAA`]) {
    assert.equal(box.open(text, "webhook 1"), undefined);
  }
});

test("after a rotation the previous key still decrypts, and its ciphertexts are recognised as old", () => {
  const old = createSecretBox(first).seal("secret", "x");
  const rotated = createSecretBox(second, first);
  assert.equal(rotated.open(old, "x"), "secret");
  assert.equal(rotated.isCurrent(old), false);
  assert.equal(rotated.isCurrent(rotated.seal("secret", "x")), true);
  assert.equal(createSecretBox(second).open(old, "x"), undefined);
});
