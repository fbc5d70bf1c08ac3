import type { Transaction, Tx } from "#/db/database.ts";

/** A text that is stored encrypted under the master key, and what it was sealed for. */
export interface SealedText {
  readonly column: string;
  readonly sealed: string;
  /** Without it the text does not open. */
  readonly context: string;
}

export interface SealedRow {
  /** Its primary key within the client, as text. */
  readonly key: string;
  readonly texts: readonly SealedText[];
}

/** A text to take the place of another. */
export interface Resealed {
  readonly key: string;
  readonly column: string;
  readonly before: string;
  readonly after: string;
}

/**
 * A table with columns that hold sealed texts, as whoever owns the table tells it. The list of all of them is
 * secrets/sealed-tables.ts; a test holds it against what stands in the store.
 */
export interface SealedTable {
  readonly table: string;
  readonly columns: readonly string[];
  /** Read and written client by client; otherwise the client is not looked at. */
  readonly isOfClients: boolean;
  /** Rows behind a key ('' before the first), in the order of their keys. */
  list(tx: Tx, clientId: string, after: string, limit: number): Promise<SealedRow[]>;
  /** Replaces texts that stand there as they stood when they were read, and no others; answers how many. */
  replace(tx: Transaction, clientId: string, column: string, texts: readonly Resealed[]): Promise<number>;
}
