import assert from "node:assert/strict";
import { test } from "node:test";
import { describeConfigFaults, loadConfig } from "#/kernel/config/config.ts";
import { warningsOf } from "#/kernel/config/warnings.ts";

const absent = () => {
  throw Object.assign(new Error("no file"), { code: "ENOENT" });
};

function warned(env: Record<string, string>): string[] {
  const loaded = loadConfig(env, { cwd: "/srv", readFile: absent });
  assert.ok(loaded.ok, loaded.ok ? "" : describeConfigFaults(loaded.fault));
  const warnings = warningsOf(loaded.value);
  for (const { text, advice } of warnings) assert.ok(text !== "" && advice !== "");
  return warnings.map(({ variable }) => variable);
}

const strong = "b7f0c1d29e4a5836f1027c3bd8a94e65";
const url = "postgres://app:pw@db/crossdock";

test("a default sandbox has no warnings", () => {
  assert.deepEqual(warned({}), []);
});

test("allowed private targets are a warning where others can reach the process", () => {
  const allowing = { CROSSDOCK_ALLOW_PRIVATE_WEBHOOKS: "true" };
  assert.deepEqual(warned(allowing), []);
  for (const reached of [{ CROSSDOCK_HOST: "0.0.0.0" }, { CROSSDOCK_BASE_URL: "https://sandbox.example.com" }]) {
    assert.deepEqual(warned({ ...allowing, ...reached }), ["CROSSDOCK_ALLOW_PRIVATE_WEBHOOKS"]);
    assert.deepEqual(warned(reached), []);
  }
});

test("a guessable master key is a warning, a random one is not", () => {
  for (const secret of [
    "a".repeat(64),
    "0123456789abcdef0123456789abcdef",
    "correct-Horse-1!".repeat(2),
    "change-me-change-me-0123456789-xyz",
    "my very own Crossdock master key 42",
  ]) {
    assert.deepEqual(warned({ CROSSDOCK_SECRET: secret }), ["CROSSDOCK_SECRET"], secret);
  }
  for (const secret of [strong, "kX9vQ2mB7tR4wZ1nL6pY3sD8fG5hJ0cA", "x8!Ü#kq2µ9-ahmet-lagert-42-Kisten?"]) {
    assert.deepEqual(warned({ CROSSDOCK_SECRET: secret }), [], secret);
  }
});

test("trusted proxies that cover nearly all addresses are a warning", () => {
  for (const network of ["0.0.0.0/1, 128.0.0.0/1", "10.0.0.1, 2000::/3"]) {
    assert.deepEqual(warned({ CROSSDOCK_TRUSTED_PROXIES: network }), ["CROSSDOCK_TRUSTED_PROXIES"], network);
  }
  assert.deepEqual(warned({ CROSSDOCK_TRUSTED_PROXIES: "10.0.0.0/8, fc00::/7, ::1, 192.0.2.1" }), []);
});

test("production on the embedded database is a warning", () => {
  const production = { CROSSDOCK_ENVIRONMENT: "production", CROSSDOCK_SECRET: strong, CROSSDOCK_GS1_PREFIX: "9521321" };
  assert.deepEqual(warned(production), ["DATABASE_URL"]);
  assert.deepEqual(warned({ ...production, DATABASE_URL: url }), []);
});

test("disabled local accounts require a group of admins without limits", () => {
  const provided = {
    CROSSDOCK_LOCAL_SIGN_IN: "false",
    CROSSDOCK_OIDC_ISSUER: "https://login.example.com",
    CROSSDOCK_OIDC_CLIENT_ID: "crossdock",
  };
  const rules = (...list: object[]) => ({ CROSSDOCK_OIDC_ACCESS: JSON.stringify(list) });
  const limited = { group: "dc1", role: "admin", facilities: ["DC1"] };
  assert.deepEqual(warned({ ...provided, ...rules(limited) }), ["CROSSDOCK_OIDC_ACCESS"]);
  assert.deepEqual(warned({ ...provided, ...rules(limited, { group: "it", role: "admin" }) }), []);
  assert.deepEqual(warned({ ...provided, ...rules(limited), CROSSDOCK_LOCAL_SIGN_IN: "true" }), []);
});

test("a role above one with a second factor must have one as well", () => {
  const warnedOf = (roles: string) => warned({ CROSSDOCK_SECOND_FACTOR: roles });
  assert.deepEqual(warnedOf("viewer,operator"), ["CROSSDOCK_SECOND_FACTOR"]);
  assert.deepEqual(warnedOf("operator"), ["CROSSDOCK_SECOND_FACTOR"]);
  for (const roles of ["off", "all", "admin", "operator,admin"]) assert.deepEqual(warnedOf(roles), [], roles);
});
