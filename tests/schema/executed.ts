// Executes statements with cached plans, like the product, and reports the rows that each has read.
import pg from "pg";
import { sqlStateOf } from "#/store/db/errors.ts";
import type { Statement } from "#/store/db/sql.ts";
import { connectionSettings } from "#/store/db/store/connection.ts";
import { atEnd } from "../support/app/at-end.ts";
import { type Cost, costOf, type ExecutedNode } from "./cost-rules.ts";
import { explainText, prepareText } from "./prepared.ts";

export interface Executed extends Cost {
  readonly statement: Statement;
  readonly clientId: string;
}

export interface Session {
  /** Plans each statement whose plan is not cached or no longer valid. */
  plan(): Promise<void>;
  /**
   * Executes each statement for the client, in a transaction that is rolled back. Without a client, executes those over
   * several clients.
   */
  execute(clientId: string, isIncluded?: (text: string) => boolean): Promise<Executed[]>;
  /** Executes one of the statements with the given values, in a transaction that is rolled back. */
  executeSent(statement: Statement): Promise<Cost>;
}

const sessionMsMax = 600_000;
const uniqueViolation = "23505";

/**
 * A connection like the product's, on which every statement is prepared and gets a generic plan.
 * @param newClient a client without rows, for inserts of rows that the client has
 */
export async function openSession(url: string, statements: readonly Statement[], newClient: string): Promise<Session> {
  const settings = connectionSettings({
    url,
    connectionsMax: 1,
    applicationName: "crossdock cost",
    statementTimeoutMs: sessionMsMax,
  });
  const client = new pg.Client(settings.client);
  await client.connect();
  atEnd(() => client.end());
  await client.query("set plan_cache_mode = force_generic_plan");
  await client.query(`set idle_in_transaction_session_timeout = ${sessionMsMax}`);
  for (const [i, statement] of statements.entries()) await client.query(prepareText(statement, `kept_${i}`));

  const indexOf = new Map(statements.map(({ text }, i) => [text, i]));

  async function explained(statement: Statement, i: number): Promise<ExecutedNode | undefined> {
    await client.query("begin");
    try {
      const text = explainText(statement, "analyze, buffers, timing off, format json", `kept_${i}`);
      const { rows } = await client.query<{ "QUERY PLAN": [{ Plan: ExecutedNode }] }>(text);
      return rows[0]?.["QUERY PLAN"][0].Plan;
    } catch (error) {
      if (sqlStateOf(error) === uniqueViolation) return undefined;
      throw error;
    } finally {
      await client.query("rollback");
    }
  }

  /**
   * Work that a session does once does not count: its first insert looks for space in the table. So a statement with a fault
   * is executed again.
   */
  async function costOfExecution(statement: Statement, i: number): Promise<Cost | undefined> {
    let cost: Cost | undefined;
    for (let time = 0; time < 2 && (cost === undefined || cost.faults.length > 0); time++) {
      const root = await explained(statement, i);
      if (root === undefined) return undefined;
      cost = costOf(statement, root);
    }
    return cost;
  }

  return {
    async plan() {
      for (const [i, statement] of statements.entries()) {
        await client.query(explainText(statement, "costs off", `kept_${i}`));
      }
    },
    async execute(clientId, isIncluded = () => true) {
      const executed: Executed[] = [];
      for (const [i, statement] of statements.entries()) {
        if (!isIncluded(statement.text)) continue;
        for (const id of [clientId, newClient]) {
          const scoped = statement.isTenant ? { ...statement, values: [id, ...statement.values.slice(1)] } : statement;
          const cost = await costOfExecution(scoped, i);
          if (cost === undefined) continue;
          executed.push({ statement: scoped, clientId: id, ...cost });
          break;
        }
      }
      return executed;
    },
    async executeSent(statement) {
      const i = indexOf.get(statement.text);
      if (i === undefined) throw new Error(`the workload does not send: ${statement.text}`);
      const cost = await costOfExecution(statement, i);
      if (cost === undefined) throw new Error(`a duplicate: ${statement.text}`);
      return cost;
    },
  };
}
