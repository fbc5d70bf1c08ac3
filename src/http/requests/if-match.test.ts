import assert from "node:assert/strict";
import { test } from "node:test";
import { entityTag, refusalOfVersion } from "#/http/requests/if-match.ts";

test("an update without If-Match, for any version, or for the present one is done", () => {
  for (const header of [undefined, "*", " * ", '"3"', '"1", "3"'])
    assert.equal(refusalOfVersion(header, 3), undefined, String(header));
});

test("another version, a weak tag and what is no tag are refused", () => {
  for (const header of ['"2"', '"33"', "3", 'W/"3"', '"1", "2"', ""]) {
    assert.equal(refusalOfVersion(header, 3)?.kind, "outdated", header);
  }
});

test("who sends the present version without its quotes is informed", () => {
  assert.match(refusalOfVersion("3", 3)?.detail ?? "", /an ETag is sent with its quotes\.$/);
  assert.doesNotMatch(refusalOfVersion("2", 3)?.detail ?? "", /quotes/);
});

test("the tag of a version is quoted", () => {
  assert.equal(entityTag(12), '"12"');
});
