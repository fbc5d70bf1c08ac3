// Row-level security of PostgreSQL: a second wall between clients (docs/decisions/0037-row-level-security.md).
//
// The tables of clients have one policy: the role `crossdock_client` sees a row when its client_id is the client that
// the session names. The tables' owner has no policy, so that backups, migrations and statements over several clients
// work as before. Each connection of the program takes the role, and names the client of a statement before that
// statement.
import pg from "pg";
import { hasCitus, type PlainConnection, tablesIn } from "#/store/db/citus/catalogue.ts";
import { sqlStateOf } from "#/store/db/errors.ts";
import { retryOnTableLock } from "#/store/db/retry-on-conflict.ts";
import { readMigrations } from "#/store/db/schema/migrator.ts";
import type { Statement } from "#/store/db/sql.ts";

/** Belongs to the cluster: all databases on it share the role, which cannot log in. */
export const clientRole = "crossdock_client";

const policy = "rows_of_the_client";
const ofTheClient = "client_id = current_setting('crossdock.client_id', true)";
const insufficientPrivilege = "42501";

/**
 * Creates the role and the policies that are missing. The caller holds the schema lock.
 *
 * @throws when the database's user may not create a role; the message contains the statements for an administrator
 */
export async function ensureRowSecurity(connection: PlainConnection, migrationsFolder: string): Promise<void> {
  if (await hasCitus(connection))
    throw new Error("CROSSDOCK_ROW_SECURITY is on, but Citus routes by client_id and takes no policies: set it to off");
  try {
    await ensureRole(connection);
  } catch (error) {
    if (sqlStateOf(error) !== insufficientPrivilege) throw error;
    throw new Error(
      `CROSSDOCK_ROW_SECURITY is on, and the database's user may not create the role ${clientRole}: have an administrator run "create role ${clientRole} nologin; grant ${clientRole} to <user>", or set it to off`,
      { cause: error },
    );
  }
  const ofClients = tablesIn(await readMigrations(migrationsFolder)).filter((table) => table.class === "distributed");
  const { rows } = await connection.query(`
    select c.relname as name, c.relrowsecurity as "isWalled",
      has_table_privilege('${clientRole}', c.oid, 'select') as "isGranted"
    from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    order by 1 limit 10000`);
  const names = new Set(ofClients.map(({ name }) => name));
  for (const { name, isWalled, isGranted } of rows as { name: string; isWalled: boolean; isGranted: boolean }[]) {
    const texts = [
      ...(isGranted ? [] : [`grant ${privilegesOn(name)} on "${name}" to ${clientRole}`]),
      ...(isWalled || !names.has(name)
        ? []
        : [
            `create policy ${policy} on "${name}" using (${ofTheClient})`,
            `alter table "${name}" enable row level security`,
          ]),
    ];
    // One transaction: a table with row-level security and without a policy seems empty.
    if (texts.length > 0) await retryOnTableLock(() => connection.query(texts.join("; ")));
  }
}

/** The audit log is append-only. */
const privilegesOn = (table: string) => (table === "audit_log" ? "select, insert" : "select, insert, update, delete");

async function ensureRole(connection: PlainConnection): Promise<void> {
  const { rows } = await connection.query(`
    select exists (select from pg_roles where rolname = '${clientRole}') as "isThere",
      coalesce((select pg_has_role(oid, 'member') from pg_roles where rolname = '${clientRole}'), false) as "isMember"`);
  const { isThere, isMember } = (rows as { isThere: boolean; isMember: boolean }[])[0] ?? {
    isThere: false,
    isMember: false,
  };
  // Another database of the cluster may create the role at the same time.
  if (!isThere)
    await connection.query(
      `do $$ begin create role ${clientRole} nologin; exception when duplicate_object or unique_violation then null; end $$`,
    );
  if (!isMember || !isThere) await connection.query(`grant ${clientRole} to current_user`);
  await connection.query(`grant usage on schema public to ${clientRole}`);
}

/** Runs as the owner, who sees the rows of all clients. */
const across = Symbol("across");
type Rows = string | typeof across;

const rowsOf = new WeakMap<pg.ClientBase, Rows>();

/**
 * Names the client of the statement to the connection before the statement, where the connection names another client.
 * A statement without a client sees no rows of clients; inside a transaction it sees those of the client that was named
 * last.
 *
 * @param hasClient whether a statement of this transaction had a client
 * @returns the promise to wait for, where something was sent: the statement is void when it fails
 */
export function nameClient(
  client: pg.ClientBase,
  statement: Statement,
  hasClient: boolean,
): Promise<unknown> | undefined {
  const named = rowsOf.get(client);
  const wanted = wantedRows(statement, hasClient ? named : undefined);
  if (named === wanted) return undefined;
  rowsOf.set(client, wanted);
  return client.query(textFor(named, wanted)).catch((error: unknown) => {
    forgetClient(client);
    throw error;
  });
}

/** SET, unlike a function, may precede `set transaction`. */
function textFor(named: Rows | undefined, wanted: Rows): string {
  if (wanted === across) return "reset role";
  const client = `set crossdock.client_id = ${pg.escapeLiteral(wanted)}`;
  return named === undefined || named === across ? `set role ${clientRole}; ${client}` : client;
}

/** To be called after a rollback, which reverts the client that was named in the transaction. */
export function forgetClient(client: pg.ClientBase): void {
  rowsOf.delete(client);
}

function wantedRows({ isAcross, isTenant, values }: Statement, named: Rows | undefined): Rows {
  if (isAcross) return across;
  if (isTenant) return values[0] as string;
  return named === undefined || named === across ? "" : named;
}
