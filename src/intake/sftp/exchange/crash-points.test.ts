// A node dies before or after each of its calls to the database, in turn; its client continues in another session as a
// script does. In every case, the file becomes one document.
import assert from "node:assert/strict";
import { test } from "node:test";
import { views } from "#/store/db/client-view.ts";
import type { Database } from "#/store/db/database.ts";
import { StoreUnavailableError } from "#/store/db/errors.ts";
import { insertClient } from "../../../../tests/support/builders/client.ts";
import { catalogueXml, isAccepted, type Session, startExchange } from "../../../../tests/support/http/exchange.ts";
import { testDatabase } from "../../../../tests/support/postgres/database.ts";

const { database } = await testDatabase();
const client = await insertClient(database);

/** Dies at its n-th call: before it reaches the database, or after the database has executed it. */
interface Mortal extends Database {
  arm(calls: number, moment: "before" | "after"): void;
  /** Starts a new node. Returns whether the previous one had died. */
  restart(): boolean;
}

function mortal(): Mortal {
  let left = Number.POSITIVE_INFINITY;
  let dies: "before" | "after" = "before";
  let isDead = false;
  const dead = () => new StoreUnavailableError("the node is dead");
  async function call<Value>(work: () => Promise<Value>): Promise<Value> {
    if (isDead) throw dead();
    isDead = --left === 0;
    if (isDead && dies === "before") throw dead();
    const value = await work();
    if (isDead) throw dead();
    return value;
  }
  return {
    ...database,
    query: (statement) => call(() => database.query(statement)),
    transaction: (work, options) => call(() => database.transaction(work, options)),
    reads: { ...views, query: (statement) => call(() => database.reads.query(statement)) },
    arm(calls, moment) {
      left = calls;
      dies = moment;
    },
    restart() {
      const hadDied = isDead;
      left = Number.POSITIVE_INFINITY;
      isDead = false;
      return hadDied;
    },
  };
}

const store = mortal();
const node = await startExchange({ database: store, clients: [client], claimMs: 300 });

const padding = `<!--${"x".repeat(300_000)}-->`;
const documentOf = (sku: string, isLarge: boolean) =>
  catalogueXml(sku).replace("</item>", `</item>${isLarge ? padding : ""}`);

/** The actions of a script, which repeats them where they fail; the result is undefined on success. */
type Methods = Readonly<Record<string, (session: Session, name: string, xml: string) => Promise<unknown>>>;

const methods: Methods = {
  "put under its name": (session, name, xml) => session.put("CAT", name, xml, 100_000),
  "put under a temporary name and renamed": async (session, name, xml) => {
    // A script without an answer checks whether its complete file is there, and puts it again if not.
    const waiting = (await session.folder("/inbound/CAT").find(`${name}.tmp`))?.size === xml.length;
    if (!waiting) {
      const refusal = await session.put("CAT", `${name}.tmp`, xml, 100_000);
      if (refusal) return refusal;
    }
    return session.rename("CAT", `${name}.tmp`, name);
  },
};

async function acceptedOf(name: string): Promise<number> {
  const [row] = await database.query<{ n: number }>({
    text: `select count(*)::integer as n from feed_document d join feed_file f on f.client_id = d.client_id and f.token = d.token
      where f.name = $1 and d.state <> 'REJECTED'`,
    values: [name],
    name: "",
    isTenant: false,
  });
  return row?.n ?? 0;
}

for (const [how, send] of Object.entries(methods)) {
  for (const isLarge of [false, true]) {
    test(`a ${isLarge ? "large" : "small"} file that is ${how} is one document, at whatever point its node dies`, async () => {
      let points = 0;
      for (const moment of ["before", "after"] as const) {
        for (let calls = 1; ; calls++) {
          const name = `${how.length}-${isLarge}-${moment}-${calls}.xml`;
          const xml = documentOf(`SKU-${calls}`, isLarge);
          store.arm(calls, moment);
          const first = await send(node.open(), name, xml).catch((error: unknown) => error);
          const hasDied = store.restart();
          if (first !== undefined) {
            assert.ok(hasDied, `only a dead node refuses: ${JSON.stringify(first)}`);
            assert.equal(await send(node.open(), name, xml), undefined, `${moment} call ${calls}`);
          }
          assert.equal(await acceptedOf(name), 1, `${moment} call ${calls}`);
          const session = node.open();
          assert.ok(isAccepted((await session.get("/acks", `${name}.ack.xml`)).toString()));
          assert.equal((await session.get("/archive", name)).toString(), xml);
          if (!hasDied) break;
          points++;
        }
      }
      assert.ok(points >= 4, `only ${points} points`);
    });
  }
}
