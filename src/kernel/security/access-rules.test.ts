import assert from "node:assert/strict";
import { test } from "node:test";
import { type AccessRule, accessOf, parseAccessRules, parseRolesWithFactor } from "#/kernel/security/access-rules.ts";

function rulesOf(list: readonly object[]): readonly AccessRule[] {
  const parsed = parseAccessRules(JSON.stringify(list));
  assert.ok(parsed.ok, parsed.ok ? "" : parsed.fault);
  return parsed.value;
}

test("a rule names a group, its role and its limits; a part that is left out is not a limit", () => {
  const rules = rulesOf([
    { group: "admins", role: "admin" },
    { group: "dc1", role: "operator", clients: ["LUMEN", "ACME", "LUMEN"], facilities: ["DC1"] },
  ]);
  assert.deepEqual(rules, [
    { group: "admins", role: "admin", clientIds: null, facilityCodes: null },
    { group: "dc1", role: "operator", clientIds: ["ACME", "LUMEN"], facilityCodes: ["DC1"] },
  ]);
});

test("a faulty list is refused with the rule, the field, what is there and what is expected", () => {
  const good = { group: "admins", role: "admin" };
  const cases: [unknown, RegExp][] = [
    [{}, /^expected a list of 1 to 1000 rules such as \[/],
    [[], /^expected a list of 1 to 1000 rules/],
    [[good, "admins"], /^rule 2: "admins" is not a rule; expected an object with group, role, clients, facilities$/],
    [[{ role: "admin" }], /^rule 1: "group" is missing; expected the name of a group$/],
    [[{ group: " ", role: "admin" }], /^rule 1: "group" is " "; expected the name of a group$/],
    [[good, { group: "x", role: "boss" }], /^rule 2: "role" is "boss"; expected developer, viewer, operator, admin$/],
    [
      [{ ...good, facility: ["DC1"] }],
      /^rule 1: "facility" is not a field of a rule; expected group, role, clients, fac/,
    ],
    [[{ ...good, facilities: [] }], /^rule 1: "facilities" is \[\]; expected a list of 1 to 1000 codes; leave it out/],
    ...[{}, { clients: ["LUMEN", "ACME"] }, { clients: ["LUMEN"], facilities: ["DC1"] }].map(
      (limits): [unknown, RegExp] => [
        [{ group: "dev", role: "developer", ...limits }],
        /^rule 1: "role" is "developer": expected exactly one code in "clients", and no "facilities"$/,
      ],
    ),
    [[{ ...good, clients: "LUMEN" }], /^rule 1: "clients" is "LUMEN"; expected a list/],
  ];
  for (const [list, wanted] of cases) {
    const parsed = parseAccessRules(JSON.stringify(list));
    assert.match(parsed.ok ? "taken" : parsed.fault, wanted);
  }
  const noJson = parseAccessRules("admins=admin");
  assert.match(noJson.ok ? "taken" : noJson.fault, /^expected JSON such as \[/);
});

const rules = rulesOf([
  { group: "admins", role: "admin" },
  { group: "lumen-dc1", role: "operator", clients: ["LUMEN"], facilities: ["DC1"] },
  { group: "lumen-dc2", role: "operator", clients: ["LUMEN"], facilities: ["DC2"] },
  { group: "acme-dc1", role: "operator", clients: ["ACME"], facilities: ["DC1"] },
  { group: "acme-dc2", role: "operator", clients: ["ACME"], facilities: ["DC2"] },
  { group: "lumen", role: "operator", clients: ["LUMEN"] },
  { group: "everybody", role: "viewer" },
]);
const of = (...groups: string[]) => accessOf(rules, new Set(groups));

test("a developer keeps the one client of the first rule", () => {
  const list = ["LUMEN", "ACME"].map((client) => ({ group: client, role: "developer", clients: [client] }));
  const access = accessOf(rulesOf(list), new Set(["LUMEN", "ACME"]));
  assert.deepEqual(access, { role: "developer", clientIds: ["LUMEN"], facilityCodes: null });
});

test("the first rule that applies decides, and groups that no rule names allow nothing", () => {
  assert.equal(of(), undefined);
  assert.equal(of("Admins", "admins "), undefined);
  assert.deepEqual(of("everybody", "admins"), { role: "admin", clientIds: null, facilityCodes: null });
  assert.deepEqual(of("everybody", "lumen-dc1"), { role: "operator", clientIds: ["LUMEN"], facilityCodes: ["DC1"] });
});

test("rules of one role add up where they differ in one limit only", () => {
  const role = "operator";
  assert.deepEqual(of("lumen-dc1", "lumen-dc2"), { role, clientIds: ["LUMEN"], facilityCodes: ["DC1", "DC2"] });
  assert.deepEqual(of("lumen-dc1", "acme-dc1"), { role, clientIds: ["ACME", "LUMEN"], facilityCodes: ["DC1"] });
  assert.deepEqual(of("lumen-dc1", "lumen"), { role, clientIds: ["LUMEN"], facilityCodes: null });
  // The union of ACME at DC2 and LUMEN at DC1 also allows ACME at DC1.
  assert.deepEqual(of("lumen-dc1", "acme-dc2"), { role, clientIds: ["LUMEN"], facilityCodes: ["DC1"] });
});

test("roles with a second factor are named one by one, all, or none", () => {
  for (const [text, roles] of [
    ["off", []],
    ["all", ["developer", "viewer", "operator", "admin"]],
    ["admin", ["admin"]],
    [" Admin, operator ,admin", ["operator", "admin"]],
  ] as const) {
    assert.deepEqual(parseRolesWithFactor(text), { ok: true, value: roles }, text);
  }
  for (const text of ["", "boss", "admin,", "off,admin", "all,viewer"]) {
    const fault = "expected off, all, or some of developer, viewer, operator, admin, separated by commas";
    assert.deepEqual(parseRolesWithFactor(text), { ok: false, fault }, text);
  }
});
