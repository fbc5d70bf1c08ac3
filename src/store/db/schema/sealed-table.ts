import type { ClientTransaction, ClientTx } from "#/store/db/database.ts";

/** A text that is stored encrypted under the master key, and the context that it was sealed for. */
export interface SealedText {
  readonly column: string;
  readonly sealed: string;
  /** The text cannot be decrypted without it. */
  readonly context: string;
}

export interface SealedRow {
  /** Its primary key within the client, as text. */
  readonly key: string;
  readonly texts: readonly SealedText[];
}

/** A new text that replaces a stored one. */
export interface Resealed {
  readonly key: string;
  readonly column: string;
  readonly before: string;
  readonly after: string;
}

/**
 * A table with columns that hold sealed texts, as its owning module describes it. The list of all of them is
 * secrets/sealed-tables.ts; a test compares that list with the store.
 */
export interface SealedTable {
  readonly table: string;
  readonly columns: readonly string[];
  /** Whether the table is read and written client by client; otherwise the client is ignored. */
  readonly isOfClients: boolean;
  /** Rows after a key ('' starts at the first), in key order. */
  list(tx: ClientTx, after: string, limit: number): Promise<SealedRow[]>;
  /** Replaces the texts that are unchanged since they were read, and no others; returns how many. */
  replace(tx: ClientTransaction, column: string, texts: readonly Resealed[]): Promise<number>;
}
