// The faults, and their sequence for a seed. A separate function starts and ends each fault, and reports its effects.
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { dayMs } from "#/kernel/values/durations.ts";
import { type Dice, diceOf } from "../support/builders/dice.ts";
import type { House } from "./house.ts";
import type { Load } from "./load.ts";
import type { Breach } from "./oracle.ts";

export interface Ground {
  readonly house: House;
  readonly load: Load;
  readonly dice: Dice;
  /** The size of the largest faults: 1 is the size of the long fault runs. */
  readonly scale: number;
  /** The factor for time limits on this machine now. */
  stretch(): number;
  note(text: string): void;
  breach(check: Breach["check"], text: string): void;
}

export interface Fault {
  readonly name: string;
  /**
   * `house`: all clients wait, and the recovery is bounded. `victims`: the pushes of the other clients are bounded
   * during the fault.
   */
  readonly strikes: "house" | "victims";
  readonly breaksConnections?: boolean;
  readonly breaksTokens?: boolean;
  /** Struck only when named: its effect cannot be undone, and remains a breach at the end. */
  readonly isLasting?: boolean;
  /** The command that must detect the fault: struck only if the program has this command, or if the fault is named. */
  readonly noticedBy?: string;
  /** Its duration in seconds, unless the fault determines it. */
  readonly seconds: number;
  /** Resolves when the fault has ended. */
  run(ground: Ground, ms: number): Promise<void>;
}

const kill: Fault = {
  name: "kill",
  strikes: "house",
  breaksConnections: true,
  seconds: 0,
  async run({ house, note }) {
    await house.kill();
    note(`ready again after ${Math.round(await house.start())} ms`);
  },
};

const stop: Fault = {
  name: "stop",
  strikes: "house",
  breaksConnections: true,
  seconds: 0,
  async run({ house, note }) {
    await house.stop();
    note(`ready again after ${Math.round(await house.start())} ms`);
  },
};

const storeKill: Fault = {
  name: "store-kill",
  strikes: "house",
  seconds: 0,
  run: ({ house }) => house.strikeStore("SIGKILL"),
};

const storeStop: Fault = {
  name: "store-stop",
  strikes: "house",
  seconds: 0,
  run: ({ house }) => house.strikeStore("SIGQUIT"),
};

const cut: Fault = {
  name: "cut",
  strikes: "house",
  seconds: 5,
  async run({ house }, ms) {
    for (const endMs = performance.now() + ms; performance.now() < endMs; await sleep(500)) house.proxy.cut();
  },
};

const slowLink: Fault = {
  name: "slow-link",
  strikes: "house",
  seconds: 12,
  async run({ house, dice, note }, ms) {
    const delayMs = 200 + dice.below(200);
    note(`${delayMs} ms each way`);
    house.proxy.delay(delayMs);
    await sleep(ms);
    await house.proxy.back();
  },
};

const swallow: Fault = {
  name: "swallow",
  strikes: "house",
  seconds: 5,
  async run({ house, dice, note }, ms) {
    const when = dice.one(["delivered", "lost"] as const);
    note(`every COMMIT is ${when}, and not answered`);
    house.proxy.cutAtCommit(when);
    await sleep(ms);
    await house.proxy.back();
  },
};

/** The tables that grow with every document: inserts into them fail as on a full disk. */
const growing = ["feed_document", "outbox", "event", "webhook_delivery", "stock_movement"];

const diskFull: Fault = {
  name: "disk-full",
  strikes: "house",
  seconds: 6,
  async run({ house }, ms) {
    await house.rows(`create or replace function chaos_disk_full() returns trigger language plpgsql as $$ begin
      raise exception 'could not extend file "base/1/2": No space left on device' using errcode = '53100'; end $$`);
    for (const table of growing) {
      await house.rows(
        `create or replace trigger chaos_disk_full before insert on ${table} for each statement execute function chaos_disk_full()`,
      );
    }
    // New sessions fail too: PostgreSQL answers with this message and this code.
    house.proxy.failConnects("XX000", "could not write init file");
    await sleep(ms / 2);
    await house.proxy.back();
    await sleep(ms / 2);
    for (const table of growing) await house.rows(`drop trigger chaos_disk_full on ${table}`);
  },
};

/** @param aheadMs the error of the program's clock @param isKilled whether only a kill ends the error */
function clock(name: string, aheadMs: number, isKilled: boolean): Fault {
  return {
    name,
    strikes: "house",
    seconds: 6,
    breaksTokens: true,
    breaksConnections: isKilled,
    async run({ house, note }, ms) {
      house.setClock(aheadMs);
      await sleep(ms);
      if (isKilled) await house.kill();
      house.setClock(0);
      if (isKilled) note(`ready again after ${Math.round(await house.start())} ms`);
      // The hook reads the offset every 50 ms.
      else await sleep(100);
    },
  };
}

const victimsOf = (house: House) => house.clients.filter(({ isVictim }) => isVictim).map(({ clientId }) => clientId);

/** Runs `crossdock events check` for the client; the command must report a fault. */
async function expectNotice({ house, note, breach }: Ground, clientId: string, what: string): Promise<void> {
  const { code, output } = await house.command("events", "check", "--client", clientId);
  note(`events check exits with ${code}: ${output.trim().split("\n")[0]}`);
  if (code !== 1) breach("unnoticed", `${what} of ${clientId} is not noticed by 'crossdock events check'`);
}

const eventsCheck = "events check";

const cursorAhead = 1_000_000;

const poisonCursor: Fault = {
  name: "poison-cursor",
  strikes: "victims",
  seconds: 5,
  noticedBy: eventsCheck,
  async run(ground, ms) {
    const { house, dice } = ground;
    const clientId = dice.one(victimsOf(house));
    const [poisoned] = await house.rows<{ at: string }>(
      "update webhook_cursor set last_position = last_position + $2 where client_id = $1 returning last_position as at",
      clientId,
      cursorAhead,
    );
    await sleep(ms);
    await expectNotice(ground, clientId, "a webhook cursor ahead of the log");
    // Unless the program has already done so.
    await house.rows(
      "update webhook_cursor set last_position = last_position - $2 where client_id = $1 and last_position = $3",
      clientId,
      cursorAhead,
      poisoned?.at,
    );
  },
};

/** The relay assigns no position twice: it compares the lane with the newest event when it takes the lane. */
const poisonPosition: Fault = {
  name: "poison-position",
  strikes: "victims",
  seconds: 5,
  isLasting: true,
  noticedBy: eventsCheck,
  async run({ house, dice, note, breach }, ms) {
    const clientId = dice.one(victimsOf(house));
    await house.rows("update outbox_lane set last_position = last_position - 20 where client_id = $1", clientId);
    await sleep(ms);
    const { output } = await house.command("events", "check", "--client", clientId);
    note(`events check: ${output.trim().split("\n")[0]}`);
    if (output.includes("two events have the same position")) {
      breach("positions", `a count of events of ${clientId} that was set back gave positions twice`);
    }
  },
};

const stopMsMax = 10_000;

const poisonSecret: Fault = {
  name: "poison-secret",
  strikes: "victims",
  seconds: 12,
  async run({ house, dice, note, breach, stretch }, ms) {
    const clientId = dice.one(victimsOf(house));
    const [before] = await house.rows<{ webhook_id: string; sealed: string }>(
      "select webhook_id, signing_secret_sealed as sealed from webhook where client_id = $1",
      clientId,
    );
    const set = (sealed: string | undefined) =>
      house.rows("update webhook set signing_secret_sealed = $2 where client_id = $1", clientId, sealed);
    const logged = house.output().length;
    const beganMs = performance.now();
    await set("no such thing");
    let status = "ACTIVE";
    let stoppedMs: number | undefined;
    while (performance.now() < beganMs + ms) {
      await sleep(250);
      status = (await house.rows<{ status: string }>("select status from webhook where client_id = $1", clientId))[0]
        ?.status as string;
      if (status !== "ACTIVE") stoppedMs ??= performance.now() - beganMs;
    }
    const lines = house
      .output()
      .slice(logged)
      .split("\n")
      .filter((line) => line.includes('"level":"error"') && line.includes(clientId)).length;
    note(
      `${clientId} is ${status} after ${stoppedMs === undefined ? "never" : `${Math.round(stoppedMs)} ms`}, ${lines} error lines`,
    );
    if (stoppedMs === undefined || stoppedMs > stopMsMax * stretch())
      breach("unnoticed", `the lane of ${clientId} with a secret that cannot be read is ${status}`);
    await set(before?.sealed);
  },
};

/** A fault that must last longer than the tested bound grows with the stretch factor, up to this factor. */
const stretchedMax = 4;

const slowClients: Fault = {
  name: "slow-clients",
  strikes: "victims",
  seconds: 25,
  async run({ house, stretch }, ms) {
    const names = victimsOf(house)
      .map((clientId) => `'${clientId}'`)
      .join(", ");
    await house.rows(`create or replace function chaos_slow() returns trigger language plpgsql as $$ begin
      perform pg_sleep(60); return new; end $$`);
    await house.rows(
      `create or replace trigger chaos_slow before insert on webhook_delivery for each row when (new.client_id in (${names}))
       execute function chaos_slow()`,
    );
    await sleep(ms * Math.min(stretch(), stretchedMax));
    await house.rows("drop trigger chaos_slow on webhook_delivery");
  },
};

const floodLines = 500;
const floodOrders = 400;

const flood: Fault = {
  name: "flood",
  strikes: "victims",
  seconds: 20,
  async run({ house, load, dice, scale, note }, ms) {
    const clientId = dice.one(victimsOf(house));
    const orders = Math.round(floodOrders * scale);
    const beganMs = performance.now();
    await load.flood(clientId, orders, floodLines);
    note(`${orders} orders of ${floodLines} lines were sent in ${Math.round(performance.now() - beganMs)} ms`);
    // The program processes the orders after its answers.
    await sleep(ms);
  },
};

const slowConnections = 4_000;

const connections: Fault = {
  name: "connections",
  strikes: "victims",
  seconds: 10,
  async run({ house, scale, note }, ms) {
    const { port, hostname } = new URL(house.url);
    const sockets: Socket[] = [];
    const count = Math.round(slowConnections * scale);
    for (let i = 0; i < count; i++) {
      const socket = connect(Number(port), hostname);
      socket.on("error", () => {});
      socket.write("POST /feeds/CALM1/NO HTTP/1.1\r\nHost: slow\r\nX-Slow: ");
      sockets.push(socket);
      // The pauses keep the operating system's backlog of connections from filling up.
      if (i % 100 === 99) await sleep(20);
    }
    for (const endMs = performance.now() + ms; performance.now() < endMs; await sleep(1_000)) {
      for (const socket of sockets) if (!socket.destroyed) socket.write("x");
    }
    note(`${sockets.filter(({ destroyed }) => !destroyed).length} of ${count} were still open`);
    for (const socket of sockets) socket.destroy();
  },
};

/** A label of a carrier that answers is bought within this time. */
const labelMsMax = 10_000;

const carrierHangs: Fault = {
  name: "carrier-hangs",
  strikes: "victims",
  seconds: 25,
  async run({ house, stretch, note, breach }, ms) {
    const { carrierOfVictims } = house;
    if (carrierOfVictims === undefined) return note("the program buys no labels");
    const [began] = await house.rows<{ at: string }>("select now()::text as at");
    carrierOfVictims.fail("hang");
    await sleep(ms * Math.min(stretch(), stretchedMax));
    const [labels] = await house.rows<{ calm: number; slowestMs: number; hanging: number }>(
      `select (count(*) filter (where client_id <> all ($1)))::int as calm,
         coalesce(max(extract(epoch from case when due_at is null then updated_at else now() end - created_at) * 1000)
           filter (where client_id <> all ($1)), 0)::int as "slowestMs",
         (count(*) filter (where client_id = any ($1) and due_at is not null))::int as hanging
       from label_purchase where created_at >= $2::timestamptz`,
      victimsOf(house),
      began?.at,
    );
    carrierOfVictims.fail("none");
    const { calm = 0, slowestMs = 0, hanging = 0 } = labels ?? {};
    note(`${hanging} labels hung; ${calm} of the other carrier, the slowest after ${slowestMs} ms`);
    if (calm === 0 || hanging === 0) breach("liveness", "the load packed no parcel of one of the carriers");
    if (slowestMs > labelMsMax * stretch()) breach("liveness", `a label of the other carrier took ${slowestMs} ms`);
  },
};

export const faults: readonly Fault[] = [
  kill,
  stop,
  storeKill,
  storeStop,
  cut,
  slowLink,
  swallow,
  diskFull,
  clock("clock-ahead", dayMs, false),
  clock("clock-ahead-kill", dayMs, true),
  clock("clock-back", -600_000, false),
  clock("clock-back-kill", -600_000, true),
  poisonCursor,
  poisonPosition,
  poisonSecret,
  slowClients,
  flood,
  connections,
  carrierHangs,
];

export interface Planned {
  readonly fault: Fault;
  readonly ms: number;
  readonly dice: Dice;
}

/**
 * An endless sequence of faults, the same for the same seed: each chosen fault once, in a random order, then each
 * again.
 * @param chosen names or prefixes; empty for all faults without lasting effects
 * @param commands the commands of the program
 */
export function* sequenceOf(
  seed: number,
  chosen: readonly string[],
  commands: readonly string[] = [eventsCheck],
): Generator<Planned> {
  const dice = diceOf(seed);
  const isUsual = ({ isLasting, noticedBy }: Fault) =>
    !isLasting && (noticedBy === undefined || commands.includes(noticedBy));
  const isNamed = ({ name }: Fault) => chosen.some((begin) => name.startsWith(begin));
  const pool = faults.filter((fault) => (chosen.length === 0 ? isUsual(fault) : isNamed(fault)));
  if (pool.length === 0) return;
  for (;;) {
    const left = [...pool];
    while (left.length > 0) {
      const [fault] = left.splice(dice.below(left.length), 1) as [Fault];
      const share = 0.8 + dice.below(40) / 100;
      yield { fault, ms: fault.seconds * 1_000 * share, dice: diceOf(dice.below(2 ** 31)) };
    }
  }
}
