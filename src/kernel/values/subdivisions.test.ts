import assert from "node:assert/strict";
import { test } from "node:test";
import { hasStates, isState } from "#/kernel/values/subdivisions.ts";

test("a state is known by its code, with or without the country, and by its name in any case and without accents", () => {
  const states: Readonly<Record<string, readonly string[]>> = {
    US: ["CA", "us-ca", "California", "PR", "DC", "AE", "Washington, D.C."],
    CA: ["QC", "Québec", "Quebec", "British Columbia"],
    AU: ["NSW", "New South Wales"],
    BR: ["SP", "Sao Paulo", "São Paulo"],
    IT: ["FI", "Firenze", "RM", "Toscana"],
    ES: ["M", "Madrid", "Barcelona"],
    IN: ["MH", "Maharashtra", "Tamil Nadu"],
    MX: ["CMX", "CDMX", "Jalisco"],
  };
  for (const [country, names] of Object.entries(states)) {
    assert.ok(hasStates(country), country);
    for (const name of names) assert.ok(isState(country, name), `${country} ${name}`);
    assert.equal(isState(country, "Nowhere"), false, country);
  }
  assert.equal(isState("US", "ON"), false);
});

test("a country whose addresses name no state has none", () => {
  for (const country of ["GB", "DE", "JP", "XK"]) assert.equal(hasStates(country), false, country);
});
