/** The library with which the product validates, as a judge of whole documents. tests/interop has two others. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { XmlDocument, XmlLibError, XsdValidator } from "libxml2-wasm";
import { edgeCases } from "./edge-cases.ts";
import {
  acknowledgementExhibits,
  type Exhibit,
  emptiedExhibits,
  outboundExhibits,
  sampleExhibits,
  schemaPath,
} from "./exhibits.ts";
import { outboundEdgeCases } from "./outbound-edge-cases.ts";

const groups: readonly (readonly [what: string, exhibits: readonly Exhibit[]])[] = [
  ["the samples", sampleExhibits()],
  ["the samples with every optional element emptied", emptiedExhibits()],
  ["the expected acknowledgements", acknowledgementExhibits()],
  ["the outbound samples", outboundExhibits()],
  ["the edge cases", edgeCases()],
  ["the edge cases of outbound documents", outboundEdgeCases()],
];

export interface Judge {
  readonly name: string;
  /** One verdict for each exhibit, in their order: whether it is valid. Throws when a schema does not compile. */
  judge(exhibits: readonly Exhibit[]): boolean[];
}

export const productLibrary: Judge = {
  name: "libxml2 as the product uses it",
  judge(exhibits) {
    const validators = new Map<Exhibit["schema"], XsdValidator>();
    try {
      return exhibits.map(({ schema, bytes }) => {
        let validator = validators.get(schema);
        if (validator === undefined) {
          validator = compile(schema);
          validators.set(schema, validator);
        }
        return isValid(validator, bytes);
      });
    } finally {
      for (const validator of validators.values()) validator.dispose();
    }
  },
};

function compile(schema: Exhibit["schema"]): XsdValidator {
  const document = XmlDocument.fromBuffer(readFileSync(schemaPath(schema)));
  try {
    return XsdValidator.fromDoc(document);
  } finally {
    document.dispose();
  }
}

function isValid(validator: XsdValidator, bytes: Buffer): boolean {
  let document: XmlDocument | undefined;
  try {
    document = XmlDocument.fromBuffer(bytes);
    validator.validate(document);
    return true;
  } catch (error) {
    if (error instanceof XmlLibError) return false;
    throw error;
  } finally {
    document?.dispose();
  }
}

/** Checks that a validator judges each group of exhibits as the contract says. */
export function testJudge({ name, judge }: Judge): void {
  for (const [what, exhibits] of groups) {
    test(`${name} accepts and refuses ${what} as the contract says`, () => {
      const verdicts = judge(exhibits);
      assert.equal(verdicts.length, exhibits.length);
      const wrong = exhibits.filter((exhibit, index) => verdicts[index] !== exhibit.isValid);
      assert.deepEqual(
        wrong.map(({ name, isValid }) => `${name} should be ${isValid ? "accepted" : "refused"}`),
        [],
      );
    });
  }
}
