import assert from "node:assert/strict";
import { test } from "node:test";
import { entityTag, refusalOfVersion } from "#/http/requests/if-match.ts";

test("an update without If-Match, with * or with the present version succeeds", () => {
  for (const header of [undefined, "*", " * ", '"3"', '"1", "3"'])
    assert.equal(refusalOfVersion(header, 3), undefined, String(header));
});

test("another version, a weak tag and an invalid tag are refused", () => {
  for (const header of ['"2"', '"33"', "3", 'W/"3"', '"1", "2"', ""]) {
    assert.equal(refusalOfVersion(header, 3)?.kind, "outdated", header);
  }
});

test("an If-Match without quotes is refused with a hint", () => {
  assert.match(refusalOfVersion("3", 3)?.detail ?? "", /an ETag is sent with its quotes\.$/);
  assert.doesNotMatch(refusalOfVersion("2", 3)?.detail ?? "", /quotes/);
});

test("the tag of a version is quoted", () => {
  assert.equal(entityTag(12), '"12"');
});
