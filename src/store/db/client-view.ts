import { assert } from "#/kernel/assert.ts";
import type { Statement } from "#/store/db/sql.ts";
import type { Change, Transaction, Tx, UnitOfWork } from "#/store/db/transaction.ts";

class ClientView implements UnitOfWork {
  readonly plain: Transaction;
  readonly clientId: string;
  readonly #change: Change | undefined;

  constructor(plain: Transaction, clientId: string, change: Change | undefined) {
    this.plain = plain;
    this.clientId = clientId;
    this.#change = change;
  }
  get change(): Change {
    assert(this.#change !== undefined, "the view has no change");
    return this.#change;
  }
  get writesPacked(): boolean {
    return this.plain.writesPacked;
  }
  query<Row>(statement: Statement): Promise<Row[]> {
    return this.plain.query<Row>(this.#bound(statement));
  }
  send(statement: Statement): void {
    this.plain.send(this.#bound(statement));
  }
  afterCommit(work: () => void): void {
    this.plain.afterCommit(work);
  }
  once<T>(key: string, make: () => Promise<T>): Promise<T> {
    return this.plain.once(key, make);
  }
  claim(key: string): void {
    this.plain.claim(key);
  }
  requireAlone(): void {
    this.plain.requireAlone();
  }
  with(change: Change): UnitOfWork {
    return new ClientView(this.plain, this.clientId, change);
  }
  #bound(statement: Statement): Statement {
    assert(statement.isTenant, `a tenant statement must name its client: ${statement.text}`);
    return { ...statement, values: [this.clientId, ...statement.values.slice(1)] };
  }
}

function viewOf(this: Tx, clientId: string, change?: Change): UnitOfWork {
  // The types of `of` offer what the executor has.
  return new ClientView(this as Transaction, clientId, change);
}

/** `of` for every object that executes statements. */
export const views: Pick<Transaction, "of"> = { of: viewOf };
