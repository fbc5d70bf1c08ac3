import { type StoredView, storedView } from "#/console-api/views/contract.ts";
import { columnsOf } from "#/http/routes/columns.ts";
import type { Transaction, Tx } from "#/store/db/database.ts";
import { sql } from "#/store/db/sql.ts";

const columns = columnsOf(storedView, "console_view");

/** The user's own views of a screen, and the shared views of others, at most `limit` of each. */
export function listViews(tx: Tx, userName: string, screen: string, limit: number): Promise<StoredView[]> {
  return tx.query(
    sql`(select ${columns} from console_view where user_name = ${userName} and screen = ${screen}
        order by lower(name) limit ${limit})
      union all
      (select ${columns} from console_view where screen = ${screen} and is_shared and user_name <> ${userName}
        order by view_id limit ${limit})`,
  );
}

/** Locks the view: another transaction that saves or deletes it waits. */
export async function findView(tx: Tx, viewId: string): Promise<StoredView | undefined> {
  const rows = await tx.query<StoredView>(
    sql`select ${columns} from console_view where view_id = ${viewId}::uuid limit 1 for update`,
  );
  return rows[0];
}

/** The number of views of a user, and of those the number of a screen. */
export async function countViews(
  tx: Tx,
  userName: string,
  screen: string,
): Promise<{ readonly ofUser: number; readonly ofScreen: number }> {
  const rows = await tx.query<{ of_user: number; of_screen: number }>(
    sql`select count(*) as of_user, count(*) filter (where screen = ${screen}) as of_screen
      from console_view where user_name = ${userName}`,
  );
  return { ofUser: rows[0]?.of_user ?? 0, ofScreen: rows[0]?.of_screen ?? 0 };
}

/** The user's own view of this name, ignoring case. */
export async function findViewOfName(
  tx: Tx,
  { userName, screen, name }: { userName: string; screen: string; name: string },
): Promise<StoredView | undefined> {
  const rows = await tx.query<StoredView>(
    sql`select ${columns} from console_view
      where user_name = ${userName} and screen = ${screen} and lower(name) = lower(${name}) limit 1 for update`,
  );
  return rows[0];
}

/** Replaces the user's own view of the same name, if there is one. */
export function writeView(tx: Transaction, { viewId, screen, userName, name, query, isShared, updatedAt }: StoredView) {
  tx.send(
    sql`insert into console_view (view_id, screen, user_name, name, query, is_shared, created_at, updated_at)
      values (${viewId}::uuid, ${screen}, ${userName}, ${name}, ${query}, ${isShared}, ${updatedAt}::timestamptz,
        ${updatedAt}::timestamptz)
      on conflict (view_id) do update set name = excluded.name, query = excluded.query, is_shared = excluded.is_shared,
        updated_at = excluded.updated_at`,
  );
}

/** Deletes the views whose name or filters contain one of these texts, ignoring case. Returns the number of views. */
export async function deleteViewsWith(tx: Tx, texts: readonly string[]): Promise<number> {
  if (texts.length === 0) return 0;
  const forms = texts.flatMap((text) => {
    const inQuery = new URLSearchParams({ q: text }).toString().slice("q=".length);
    return [text, inQuery, inQuery.replaceAll("+", "%20")];
  });
  // Views and texts are lowered once, and both by the store: letters such as İ and Σ have several small forms.
  const rows = await tx.query(
    sql`with shown as materialized (select view_id, lower(name || ' ' || query) as words from console_view),
        wanted as materialized (select lower(form) as form from unnest(${[...new Set(forms)]}::text[]) form)
      delete from console_view v using shown s
      where v.view_id = s.view_id and exists (select from wanted w where strpos(s.words, w.form) > 0)
      returning v.view_id`,
  );
  return rows.length;
}

export function deleteView(tx: Transaction, viewId: string): void {
  tx.send(sql`delete from console_view where view_id = ${viewId}::uuid`);
}
