import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { BlockedError, NameError } from "#/delivery/webhooks/sending/answer.ts";
import { createSystemLookup, type FoundAddress, findAddresses } from "#/delivery/webhooks/sending/lookup.ts";

const strict = { allowPrivate: false, privateTargets: [] };
const outside: FoundAddress = { address: "8.8.8.8", family: 4 };
const outside6: FoundAddress = { address: "2606:4700::1111", family: 6 };

test("all addresses of a name are returned in the order of the look-up", async () => {
  const found = await findAddresses(async () => [outside, outside6], strict, "hooks.example");
  assert.deepEqual(found, [outside, outside6]);
});

test("a literal address is checked without a look-up", async () => {
  const never = () => assert.fail("looked up");
  assert.deepEqual(await findAddresses(never, strict, "8.8.8.8"), [outside]);
  assert.deepEqual(await findAddresses(never, strict, "2606:4700::1111"), [outside6]);
  await assert.rejects(findAddresses(never, strict, "::1"), BlockedError);
});

test("one refused address refuses the name, without naming the address", async () => {
  for (const address of ["10.1.2.3", "::ffff:10.1.2.3", "64:ff9b::10.1.2.3"]) {
    const lookup = async () => [outside, { address, family: 4 }];
    await assert.rejects(
      findAddresses(lookup, strict, "db.internal"),
      (error: Error) => error instanceof BlockedError && /it is a private address$/.test(error.message),
    );
  }
});

test("a name without an address is an error", async () => {
  await assert.rejects(
    findAddresses(async () => [], strict, "none.example"),
    NameError,
  );
});

test("the system resolves this machine, and concurrent look-ups of one name share one query", async () => {
  const lookup = createSystemLookup();
  const [first, second] = [lookup("localhost"), lookup("localhost")];
  assert.equal(first, second);
  for (const { address } of await first) assert.match(address, /^(127\.|::1$)/);
  assert.notEqual(lookup("localhost"), first);
});

test("names whose servers are silent leave a thread to names that answer, and the turns are handed on", async () => {
  const lookups: string[] = [];
  const ends = new Map<string, (found: readonly FoundAddress[]) => void>();
  const lookup = createSystemLookup((hostname) => {
    lookups.push(hostname);
    return new Promise((resolve) => ends.set(hostname, resolve));
  });
  const tick = () => new Promise((resolve) => setImmediate(resolve));
  const answer = async (name: string) => {
    ends.get(name)?.([outside]);
    await tick();
  };
  const known = lookup("known");
  await tick();
  await answer("known");
  await known;
  const names = ["a", "b", "c", "d", "e"];
  const all = names.map((name) => lookup(name));
  const again = lookup("known");
  await tick();
  assert.deepEqual(lookups.splice(0), ["known", "a", "b", "known"]);
  await answer("known");
  await again;
  for (const name of names) await answer(name);
  assert.deepEqual(lookups, ["c", "d", "e"]);
  assert.deepEqual(await Promise.all(all), Array(5).fill([outside]));
});

test("a name whose last look-up was silent waits until new names are looked up", async () => {
  const names: string[] = [];
  const slow = new Set(["a", "b"]);
  const lookup = createSystemLookup(async (hostname) => {
    names.push(hostname);
    if (slow.has(hostname)) await sleep(1_100);
    return [outside];
  });
  await Promise.all(["a", "b"].map(lookup));
  names.length = 0;
  await Promise.all(["a", "b", "c", "d"].map(lookup));
  assert.deepEqual(names, ["a", "c", "d", "b"], "one of them at a time");
});
