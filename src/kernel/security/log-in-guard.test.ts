import assert from "node:assert/strict";
import { test } from "node:test";
import { logInKey, networkOf } from "#/kernel/security/log-in-guard.ts";

test("an address of IPv6 counts as its /64 network, one of IPv4 by itself, however it is written", () => {
  assert.equal(networkOf("2001:db8:1:2:3:4:5:6"), "2001:db8:1:2::/64");
  assert.equal(networkOf("2001:0db8:0001:0002::ffff"), "2001:db8:1:2::/64");
  assert.equal(networkOf("::ffff:192.0.2.1"), "192.0.2.1");
  assert.equal(networkOf("192.0.2.1"), "192.0.2.1");
  assert.equal(networkOf("fe80::1%eth0"), "fe80:0:0:0::/64");
  assert.notEqual(networkOf("2001:db8:1:2::1"), networkOf("2001:db8:1:3::1"));
});

test("a key shows neither name nor address, and has one length", () => {
  assert.match(logInKey("sign-in user", "192.0.2.1", "anna"), /^sign-in user [\w-]{43}$/);
});
