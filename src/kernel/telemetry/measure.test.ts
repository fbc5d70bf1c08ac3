import assert from "node:assert/strict";
import { test } from "node:test";
import { canonicalDimensionUnit, canonicalUnitOfMeasure, canonicalWeightUnit } from "#/kernel/telemetry/measure.ts";

test("weight units of the contract, by name or Rec 20 code and in any case, become their usual name", () => {
  for (const [canonical, codes] of Object.entries({
    KG: ["KG", "KGM", "kg", "Kgm", "KGS", "kilograms"],
    G: ["G", "GRM", "g", "gr", "Grams"],
    LB: ["LB", "LBR", "lb", "LBS", "pounds"],
    OZ: ["OZ", "ONZ", "onz"],
  })) {
    for (const code of codes) assert.equal(canonicalWeightUnit(code), canonical, code);
  }
});

test("units of dimension of the contract, by name or Rec 20 code and in any case, become their usual name", () => {
  for (const [canonical, codes] of Object.entries({
    CM: ["CM", "CMT", "cm"],
    MM: ["MM", "MMT", "mmt"],
    M: ["M", "MTR", "m"],
    IN: ["IN", "INH", "in", "INCH", "inches"],
    FT: ["FT", "FOT", "Ft"],
  })) {
    for (const code of codes) assert.equal(canonicalDimensionUnit(code), canonical, code);
  }
});

test("a unit of another kind is unknown", () => {
  for (const code of ["", "CM", "STONE", "KG ", "T"]) assert.equal(canonicalWeightUnit(code), undefined, code);
  for (const code of ["", "KG", "YARD", "C M"]) assert.equal(canonicalDimensionUnit(code), undefined, code);
});

test("names of single pieces become EA; other units of measure keep their name in capitals", () => {
  for (const code of ["EA", "each", "UNIT", "pc", "PCE", "Pcs", "ST", "c62", "H87", "UNITS", "Eaches", "UN", "piece"]) {
    assert.equal(canonicalUnitOfMeasure(code), "EA", code);
  }
  assert.equal(canonicalUnitOfMeasure("cs"), "CS");
  assert.equal(canonicalUnitOfMeasure("KGM"), "KGM");
});
