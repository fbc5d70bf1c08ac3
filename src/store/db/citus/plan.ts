// Converts a database on one PostgreSQL to Citus: places each table as its class says, in an order that works.
import type { DeclaredTable, LiveTable, TableClass } from "#/store/db/citus/catalogue.ts";

export interface Step {
  readonly table: string;
  /** One statement, without its semicolon. */
  readonly text: string;
}

export interface PlacementPlan {
  readonly steps: readonly Step[];
  /** Tables that are already placed correctly. */
  readonly done: readonly string[];
  /** Tables that stay on the coordinator. */
  readonly local: readonly string[];
}

/** All tables of a client are colocated with the client's row in this table. */
export const rootTable = "tenant";
/** The migrator creates this table before the first migration, for the coordinator only. */
const migratorsOwn = "schema_migration";
/** The application's role may only insert into this table, and truncate it for one step. */
const appendOnly = "audit_log";

/**
 * The remaining steps. A keyed table is distributed by the first column of its primary key, in a separate colocation
 * group, because no query joins it with another table.
 * @throws when the database and the classes contradict each other; the message says where and what to do
 */
export function planPlacement(declared: readonly DeclaredTable[], live: readonly LiveTable[]): PlacementPlan {
  const byName = new Map(live.map((table) => [table.name, table]));
  const classed = declared.flatMap((table) =>
    table.class === undefined ? [] : [{ name: table.name, class: table.class }],
  );
  const faults = [...faultsOfNames(declared, byName), ...faultsOfPlaces(classed, byName)];
  if (faults.length > 0) throw new PlacementError(faults);

  const inOrder = sorted(classed, byName);
  const placed = ({ name }: { name: string }) => byName.get(name)?.placed;
  const left = inOrder.filter((table) => table.class !== "local" && !placed(table));
  const filled = left.filter(({ name }) => byName.get(name)?.hasRows);
  return {
    steps: [
      ...left.map((table): Step => {
        const column = table.class === "keyed" ? (byName.get(table.name)?.keyColumn ?? "") : "client_id";
        return { table: table.name, text: placingText(table.name, table.class, column) };
      }),
      ...filled.flatMap(({ name }) => freeingSteps(name)),
      ...left.flatMap(({ name }) => closingSteps(name, byName.get(name)?.months ?? [])),
    ],
    done: inOrder.filter((table) => placed(table)).map(({ name }) => name),
    local: [migratorsOwn, ...inOrder.filter((table) => table.class === "local").map(({ name }) => name)],
  };
}

/**
 * The steps back to one PostgreSQL: every row moves to the coordinator. The root table goes last, because the other
 * tables are colocated with it. Tables that foreign keys connect go together.
 */
export function planReturn(live: readonly LiveTable[]): Step[] {
  const placed = live.filter((table) => table.placed !== null && table.placed.kind !== "local");
  const rank = (table: LiveTable) => (table.placed?.kind === "reference" ? 2 : table.name === rootTable ? 1 : 0);
  const connected = new Set<string>();
  return placed
    .toSorted((left, right) => rank(left) - rank(right))
    .flatMap((table): Step[] => {
      if (connected.has(table.name)) return [];
      const group = groupOf(table, placed);
      for (const name of group) connected.add(name);
      const cascade = group.size > 1 ? ", cascade_via_foreign_keys => true" : "";
      return [{ table: table.name, text: `select undistribute_table('${table.name}'${cascade})` }];
    });
}

/** The table and all tables that foreign keys connect with it, in either direction. */
function groupOf(table: LiveTable, tables: readonly LiveTable[], group = new Set<string>()): Set<string> {
  group.add(table.name);
  for (const other of tables) {
    const isBeside = table.refersTo.includes(other.name) || other.refersTo.includes(table.name);
    if (isBeside && !group.has(other.name)) groupOf(other, tables, group);
  }
  return group;
}

/** Thrown when the database and the classes contradict each other. */
export class PlacementError extends Error {
  override readonly name = "PlacementError";
  constructor(faults: readonly string[]) {
    super(faults.join("\n"));
  }
}

function placingText(table: string, tableClass: TableClass, column: string): string {
  if (tableClass === "reference") return `select create_reference_table('${table}')`;
  const group = tableClass === "keyed" || table === rootTable ? "none" : rootTable;
  return `select create_distributed_table('${table}', '${column}', colocate_with => '${group}')`;
}

/** The migration's revoke reached the table of the coordinator only: the shards and their months are new tables. */
function closingSteps(table: string, months: readonly string[]): Step[] {
  if (table !== appendOnly) return [];
  return [table, ...months].map((name) => ({
    table,
    text: `revoke update, delete, truncate on ${name} from current_user`,
  }));
}

/**
 * Citus keeps the original rows on the coordinator, hidden, in addition to the distributed copies. This step frees
 * their space.
 */
function freeingSteps(table: string): Step[] {
  const free = `select truncate_local_data_after_distributing_table('${table}')`;
  const texts =
    table === appendOnly
      ? [`grant truncate on ${table} to current_user`, free, `revoke truncate on ${table} from current_user`]
      : [free];
  return texts.map((text) => ({ table, text }));
}

type Classed = { readonly name: string; readonly class: TableClass };

/**
 * The order is: reference tables first, each after the tables that its foreign keys name; then the root, the tables of
 * its group, and the keyed tables.
 */
function sorted(tables: readonly Classed[], byName: ReadonlyMap<string, LiveTable>): Classed[] {
  const rank = (table: Classed) =>
    table.name === rootTable ? 1 : { reference: 0, distributed: 2, keyed: 3, local: 4 }[table.class];
  const wanted = tables.toSorted((left, right) => rank(left) - rank(right));
  const ordered: Classed[] = [];
  const visit = (table: Classed) => {
    if (ordered.includes(table)) return;
    for (const other of byName.get(table.name)?.refersTo ?? []) {
      const target = wanted.find(({ name }) => name === other);
      if (target && target !== table) visit(target);
    }
    ordered.push(table);
  };
  wanted.forEach(visit);
  return ordered;
}

function faultsOfNames(declared: readonly DeclaredTable[], byName: ReadonlyMap<string, LiveTable>): string[] {
  const names = new Set([migratorsOwn, ...declared.map(({ name }) => name)]);
  return [
    ...declared
      .filter((table) => table.class === undefined)
      .map(({ name, migration }) => `${migration}: ${name} has no class; write "-- citus: …" above it`),
    ...declared.filter(({ name }) => !byName.has(name)).map(({ name }) => `${name} is missing; run crossdock migrate`),
    ...[...byName.keys()]
      .filter((name) => !names.has(name))
      .map((name) => `${name} is not in any migration: drop it, or move it to another schema`),
  ];
}

function faultsOfPlaces(tables: readonly Classed[], byName: ReadonlyMap<string, LiveTable>): string[] {
  const rootGroup = byName.get(rootTable)?.placed?.colocation;
  return tables.flatMap(({ name, class: wanted }) => {
    const table = byName.get(name);
    const placed = table?.placed;
    if (!placed) return [];
    const isLocal = placed.kind === "local";
    if (wanted === "local" || isLocal)
      return wanted === "local" && isLocal
        ? []
        : [`${name} is ${placed.kind} on Citus, and must be ${wanted}; run select undistribute_table('${name}')`];
    const kind = wanted === "reference" ? "reference" : "distributed";
    const column = { distributed: "client_id", keyed: table.keyColumn, reference: null, local: null }[wanted];
    const isRight =
      placed.kind === kind &&
      (wanted === "reference" || placed.column === column) &&
      (wanted !== "distributed" || placed.colocation === rootGroup) &&
      (wanted !== "keyed" || placed.colocation !== rootGroup);
    return isRight
      ? []
      : [
          `${name} is ${placed.kind} by ${placed.column ?? "no column"} in group ${placed.colocation}, and must be ${kind}${column ? ` by ${column}` : ""}; run select undistribute_table('${name}') and this again`,
        ];
  });
}
