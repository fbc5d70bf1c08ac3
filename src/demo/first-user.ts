import { createUser } from "#/console-api/index.ts";
import type { Change } from "#/db/audit.ts";
import type { Transaction } from "#/db/database.ts";
import type { DemoCredentials } from "#/demo/credentials.ts";

const userName = "admin";

/** Creates the first user of the console. Returns nothing if the name is taken. */
export async function makeFirstUser(tx: Transaction, change: Change): Promise<Pick<DemoCredentials, "console">> {
  const made = await createUser(tx, change, { userName, role: "admin" });
  return made.ok ? { console: { username: userName, password: made.value.password } } : {};
}
