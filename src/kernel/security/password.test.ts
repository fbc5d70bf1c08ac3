import assert from "node:assert/strict";
import { test } from "node:test";
import { hashPassword, isPasswordOf, makePassword } from "#/kernel/security/password.ts";

test("a hash is of its password and of no other, and no two hashes are alike", async () => {
  const password = makePassword();
  const [first, second] = await Promise.all([hashPassword(password), hashPassword(password)]);
  assert.match(first, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
  assert.notEqual(first, second);
  assert.equal(await isPasswordOf(password, first), true);
  assert.equal(await isPasswordOf(`${password} `, first), false);
});

test("the hash of a test vector of the reference implementation is understood", async () => {
  const stored = "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc";
  assert.equal(await isPasswordOf("password", stored), true);
  assert.equal(await isPasswordOf("differentpassword", stored), false);
});

test("a text that is not a hash matches no password", async () => {
  for (const stored of ["", "password", "$argon2i$v=19$m=19456,t=2,p=1$c29tZXNhbHQ$c29tZXNhbHQ"]) {
    assert.equal(await isPasswordOf("password", stored), false);
  }
});

test("generated passwords differ and can be read aloud", () => {
  const passwords = new Set(Array.from({ length: 100 }, makePassword));
  assert.equal(passwords.size, 100);
  for (const password of passwords) assert.match(password, /^([a-hjkmnp-tv-z2-9]{5}-){4}[a-hjkmnp-tv-z2-9]{5}$/);
});
