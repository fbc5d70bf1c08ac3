import pg from "pg";
import { leftMs, within } from "#/kernel/concurrency/deadline.ts";
import { waitFor } from "#/kernel/telemetry/loop-watch.ts";
import { DeadlineError, StoreUnavailableError, translated, translatedOfConnect } from "#/store/db/errors.ts";
import { nameClient } from "#/store/db/schema/row-security.ts";
import type { Statement } from "#/store/db/sql.ts";
import {
  connectionSettings,
  corkForThisTick,
  type DatabaseOptions,
  noteStatement,
  silenceMsMax,
} from "#/store/db/store/connection.ts";

/** Connections are opened on demand. This many processors of the store work for the reads of one process. */
const lanesMax = 4;
/** Maximum number of reads in flight on one connection. It limits how many reads wait for a slow one. */
const inFlightMax = 8;

/** A connection with its reads in flight. */
interface Lane {
  readonly connected: Promise<pg.Client>;
  inFlight: number;
  /** Ends the connection when reads are in flight and no answer has arrived for longer than any of them may take. */
  readonly watch: NodeJS.Timeout;
}

interface Waiting {
  /** On the monotonic clock: then the read has failed, or its request has been answered. */
  readonly untilMs: number;
  readonly take: (lane: Lane) => void;
  readonly giveUp: (error: Error) => void;
}

export interface PipelinedReads {
  query<Row = unknown>(statement: Statement): Promise<Row[]>;
  close(): Promise<void>;
}

/**
 * Single-statement reads on a few shared, pipelined connections. A separate connection for each read costs a round trip
 * and a wake-up of two processes per read (measured: 56,700 simple reads a second on two of these, 24,900 on eight
 * plain ones). Each read goes to the connection with the fewest reads in flight. A statement that fails, or that the
 * server cancels, fails alone. A lost connection fails its reads with StoreUnavailableError, and the next read opens
 * another connection.
 */
export function openPipelinedReads(options: DatabaseOptions): PipelinedReads {
  const { client: clientConfig, statementTimeoutMs, connectTimeoutMs } = connectionSettings(options);
  const lanes = new Set<Lane>();
  const waiting: Waiting[] = [];
  let isClosed = false;

  function openLane(): Lane {
    const client = new pg.Client(clientConfig);
    const lane: Lane = {
      connected: client.connect().then(
        () => {
          lane.watch.refresh();
          return client;
        },
        (error: unknown) => {
          drop();
          throw translatedOfConnect(error);
        },
      ),
      inFlight: 0,
      watch: setTimeout(() => {
        if (lane.inFlight > 0) socketOf(client).destroy();
      }, statementTimeoutMs + silenceMsMax).unref(),
    };
    const drop = () => {
      clearTimeout(lane.watch);
      lanes.delete(lane);
    };
    // The reads on the connection learn of its loss themselves; without a listener the process would end.
    client.on("error", (error) => {
      drop();
      if (lane.inFlight === 0 && !isClosed) options.onError?.(error);
    });
    client.on("end", drop);
    lanes.add(lane);
    return lane;
  }

  /**
   * The connection with the fewest reads in flight, or a new one; undefined where all connections are at their limit.
   */
  function findFree(): Lane | undefined {
    let best: Lane | undefined;
    for (const lane of lanes) if (best === undefined || lane.inFlight < best.inFlight) best = lane;
    if (best === undefined || (best.inFlight > 0 && lanes.size < lanesMax)) return openLane();
    return best.inFlight < inFlightMax ? best : undefined;
  }

  /** The watch for silence starts with the first read after an idle period. */
  function assign(lane: Lane): Lane {
    if (lane.inFlight === 0) lane.watch.refresh();
    lane.inFlight++;
    return lane;
  }

  function takeLane(): Lane | Promise<Lane> {
    if (isClosed) throw new StoreUnavailableError("the database was closed");
    const lane = waiting.length === 0 ? findFree() : undefined;
    if (lane !== undefined) return assign(lane);
    const untilMs = performance.now() + Math.min(connectTimeoutMs, leftMs());
    return new Promise((take, giveUp) => waiting.push({ untilMs, take, giveUp }));
  }

  function giveBack(returnedLane: Lane): void {
    returnedLane.inFlight--;
    returnedLane.watch.refresh();
    while (waiting[0] !== undefined) {
      const isLate = performance.now() > waiting[0].untilMs;
      const lane = isLate ? undefined : findFree();
      if (!isLate && lane === undefined) return;
      const next = waiting.shift();
      if (lane === undefined) {
        next?.giveUp(new StoreUnavailableError("the database is too busy to answer"));
      } else {
        next?.take(assign(lane));
      }
    }
  }

  async function send<Row>(lane: Lane, statement: Statement): Promise<Row[]> {
    const { text, name, values } = statement;
    const client = await waitFor(lane.connected);
    corkForThisTick(client);
    const clientNamed = options.isRowSecure ? nameClient(client, statement, false) : undefined;
    const answer = waitFor(client.query({ text, name, values: values as unknown[] }));
    const [{ rows }] = clientNamed ? await Promise.all([answer, clientNamed]) : [await answer];
    return rows as Row[];
  }

  async function read<Row>(statement: Statement): Promise<Row[]> {
    const lane = await takeLane();
    try {
      return await send<Row>(lane, statement);
    } catch (error) {
      throw translated(error);
    } finally {
      giveBack(lane);
    }
  }

  return {
    async query<Row>(statement: Statement): Promise<Row[]> {
      noteStatement(options, statement);
      // The connection is shared: a read whose request is over stays in flight, and only its answer is discarded.
      return within(read<Row>(statement), leftMs(), () => new DeadlineError());
    },
    async close() {
      isClosed = true;
      for (const { giveUp } of waiting.splice(0)) giveUp(new StoreUnavailableError("the database was closed"));
      // Reads in flight are answered first.
      await Promise.all([...lanes].map(({ connected }) => connected.then((client) => client.end()).catch(() => {})));
    },
  };
}

function socketOf(client: pg.Client): { destroy(): void } {
  return (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream;
}
