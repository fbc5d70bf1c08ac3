import assert from "node:assert/strict";
import { test } from "node:test";
import { splitStatements } from "#/store/db/schema/migrator.ts";

test("statements end at their semicolons, and at no others", () => {
  const file = `-- Of the file.
create table a (t text default 'x;''y', "odd;name" int); -- behind
/* not; this */
-- harmless: no statement reads it
drop index b;
do $body$ begin perform 1; end $body$;
select 1`;
  assert.deepEqual(splitStatements(file), [
    { text: `create table a (t text default 'x;''y', "odd;name" int)`, comments: ["Of the file."] },
    { text: "drop index b", comments: ["behind", "harmless: no statement reads it"] },
    { text: "do $body$ begin perform 1; end $body$", comments: [] },
    { text: "select 1", comments: [] },
  ]);
  assert.deepEqual(splitStatements("-- nothing\n"), []);
});
