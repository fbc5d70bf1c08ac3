import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { sql } from "#/store/db/sql.ts";
import { atEnd } from "../../../tests/support/app/at-end.ts";
import { runCommand } from "../../../tests/support/app/cli.ts";
import { insertClient } from "../../../tests/support/builders/client.ts";
import { post } from "../../../tests/support/builders/stock.ts";
import { testDatabase } from "../../../tests/support/postgres/database.ts";

const { url, database } = await testDatabase();
await insertClient(database, { clientId: "SOUND" });
await insertClient(database, { clientId: "BROKEN" });
for (const clientId of ["SOUND", "BROKEN"]) await post(database, clientId, [{ sku: "A", qty: 5000 }]);
const folder = mkdtempSync(path.join(tmpdir(), "crossdock-stock-"));
atEnd(() => rmSync(folder, { recursive: true, force: true }));

const check = (...words: string[]) =>
  runCommand(["stock", "check", ...words], { DATABASE_URL: url, CROSSDOCK_DATA_DIR: folder });

test("consistent stock is confirmed; a broken ledger ends with exit code 1 and names each place", async () => {
  const sound = await check();
  assert.deepEqual([sound.code, sound.stdout], [0, "The stock of 2 client(s) is consistent.\n"]);
  await database.query(sql`update stock_balance set qty = 4 where client_id = 'BROKEN'`);
  const broken = await check();
  assert.equal(broken.code, 1);
  assert.match(broken.stdout, /BROKEN +SKU A GOOD in DC1 +the balance is not the sum of its movements +4 +5\n/);
  assert.match(broken.stderr, /stock is inconsistent in 1 place/);
});

test("--client looks at one client, --json gives the numbers, an unknown client is refused", async () => {
  await database.query(sql`update stock_balance set qty = 4 where client_id = 'BROKEN'`);
  assert.equal((await check("--client", "SOUND")).code, 0);
  const { code, stdout } = await check("--client", "BROKEN", "--json");
  assert.equal(code, 1);
  assert.deepEqual(JSON.parse(stdout), {
    clients: 1,
    broken: [
      { clientId: "BROKEN", rule: "BALANCE", object: "SKU A GOOD in DC1", facilityCode: "DC1", found: 4, expected: 5 },
    ],
  });
  const unknown = await check("--client", "NOBODY");
  assert.deepEqual([unknown.code, /there is no client NOBODY/.test(unknown.stderr)], [1, true]);
});
