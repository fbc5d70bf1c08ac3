// Validates the documents and bodies of a guide against the published schemas.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { Compile } from "typebox/schema";
import { bodySchema, jsonSchemaOf, topics } from "#/delivery/webhooks/index.ts";
import { setUpTypeBox } from "#/http/server/validation.ts";
import { type SchemaName, schemaNames, schemaPath } from "../xsd/exhibits.ts";
import { productLibrary } from "../xsd/validators.ts";
import { type Fence, remarkOf } from "./fences.ts";

/** Validates a document against the XSD of its root element. */
export function validateXml(fence: Fence): void {
  const place = `${fence.file}:${fence.line}`;
  const [, root] = /<([A-Za-z]+)[\s>]/.exec(fence.source.replace(/<!--[\s\S]*?-->/g, "")) ?? [];
  assert.ok(root, `${place} shows no document`);
  const schema = schemaOf(root);
  assert.ok(schema, `${place}: no XSD has the root ${root}; say why it is not judged by 'not-run: …'`);
  // The library that the product uses; tests/interop proves that two others agree with it.
  const [isValid] = productLibrary.judge([{ name: place, schema, bytes: Buffer.from(fence.source), isValid: true }]);
  assert.ok(isValid, `${place} is not valid by ${schema}.xsd`);
}

function schemaOf(root: string): SchemaName | undefined {
  return schemaNames.find((name) => readFileSync(schemaPath(name), "utf8").includes(`\n  <xs:element name="${root}"`));
}

/**
 * Validates the body against the schema that the remark names: `shows: event`, or none if the block holds JSON to send.
 */
export function validateJson(fence: Fence): void {
  const place = `${fence.file}:${fence.line}`;
  const body = JSON.parse(fence.source) as { readonly type?: unknown };
  const what = remarkOf(fence, "shows");
  assert.equal(
    what,
    "event",
    `${place} says by 'shows: event' what it shows, or by 'not-run: …' why nothing judges it`,
  );
  setUpTypeBox();
  const topic = topics.find(({ topicName }) => topicName === body.type);
  assert.ok(topic, `${place}: there is no topic ${body.type}`);
  const check = Compile(bodySchema(topic, jsonSchemaOf(topic.family.data)) as object);
  assert.ok(
    check.Check(body),
    `${place}: ${check.Errors(body)[1].map((error) => `${error.instancePath} ${error.message}`)}`,
  );
}
