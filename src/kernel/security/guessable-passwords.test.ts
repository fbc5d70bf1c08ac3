import assert from "node:assert/strict";
import { test } from "node:test";
import { isGuessable, readGuessablePasswords } from "#/kernel/security/guessable-passwords.ts";
import { makePassword } from "#/kernel/security/password.ts";

test("every password of the list is refused, the long ones among them", () => {
  const list = [...readGuessablePasswords()];
  assert.ok(list.length > 10_000 && list.includes("qwerty") && list.filter(({ length }) => length >= 12).length > 250);
  for (const password of list) assert.ok(isGuessable(password), password);
});

test("combinations of common passwords are refused, in any case, with blanks and with signs for letters", () => {
  for (const password of [
    ...["password1234", "Password123456!", "P@ssw0rd P@ssw0rd", "iloveyouiloveyou", "qwertyuiop123", "monkeydragon12"],
    ...[
      "123456789012",
      "abcdefghijkl",
      "9876543219876",
      "LetMeIn LetMeIn",
      "1qaz2wsx3edc4rfv",
      "ｐａｓｓｗｏｒｄ１２３４",
    ],
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
  ]) {
    assert.ok(isGuessable(password), password);
  }
});

test("uncommon words and random passwords are accepted", () => {
  for (const password of [
    "a long walk by the sea",
    "correct horse battery staple",
    "kX9vQ2mB7tR4",
    "Winterstraße 14, Hof",
  ]) {
    assert.ok(!isGuessable(password), password);
  }
  for (let i = 0; i < 100; i++) assert.ok(!isGuessable(makePassword()));
});
