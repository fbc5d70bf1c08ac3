// The request rate of a credential, over all nodes (docs/decisions/0008-tokens-and-rate-limits.md).

import type { Clock } from "#/kernel/clock.ts";
import { createTicker } from "#/kernel/concurrency/ticker.ts";
import type { Logger } from "#/kernel/telemetry/log.ts";
import { hourMs } from "#/kernel/values/durations.ts";
import type { Database, Tx } from "#/store/db/database.ts";
import { sql } from "#/store/db/sql.ts";

export interface RateLimit {
  /** Tokens that are refilled each second, as a fraction where it is less than one. */
  readonly perSecond: number;
  /** Tokens of a full bucket. */
  readonly burst: number;
}

export interface Take {
  readonly isAllowed: boolean;
  readonly limit: RateLimit;
  /** Whole tokens left. */
  readonly remaining: number;
  /** Seconds until the bucket is full again. */
  readonly resetSeconds: number;
  /** Seconds until a token is available; 0 when one is. */
  readonly retryAfterSeconds: number;
}

export interface RateLimiter {
  /** Decides at once, from memory. Only allowed requests count. */
  take(key: string, limit: RateLimit): Take;
  /** Returns what `take` returns, without taking a token. */
  look(key: string, limit: RateLimit): Take;
  /**
   * Takes more tokens for an allowed request that turned out to be more work. The debt is limited: a key waits at most
   * as long as a burst lasts.
   */
  charge(key: string, limit: RateLimit, tokens: number): void;
  /** Reports local usage to the store, and reads the usage of other nodes; runs by itself every `flushMs`. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

interface RateLimiterContext {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly flushMs?: number;
}

/** The default burst is two seconds' worth: 200 at 100 a second (contract rest.md §2). */
export function limitOf(setting: { readonly perSecond: number } | "off"): RateLimit | "off" {
  return setting === "off" ? "off" : { perSecond: setting.perSecond, burst: 2 * setting.perSecond };
}

/**
 * `RateLimit-Policy` and `RateLimit` of draft-ietf-httpapi-ratelimit-headers, and `Retry-After` with a refusal. The second
 * policy is the burst: as many requests in the seconds that refill it.
 */
export function rateLimitHeaders(take: Take): Record<string, string> {
  const { perSecond, burst } = take.limit;
  const [rate, most] = [Math.max(1, Math.round(perSecond)), Math.max(1, Math.round(burst))];
  return {
    "RateLimit-Policy": `"default";q=${rate};w=1, "burst";q=${most};w=${Math.max(1, Math.round(burst / perSecond))}`,
    RateLimit: `"default";r=${take.remaining};t=${take.resetSeconds}`,
    ...(take.isAllowed ? {} : { "Retry-After": String(take.retryAfterSeconds) }),
  };
}

interface Bucket {
  limit: RateLimit;
  tokens: number;
  filledMs: number;
  takenMs: number;
  /** When the store's sum was read last. */
  lookedMs: number;
  /** Used on this node and not yet in the store. */
  pending: number;
  /** The store's sum that the bucket reflects, including this node's share; undefined before the first read. */
  seen: number | undefined;
}

const flushMsDefault = 250;
/** How long the limiter follows an idle key: the usage of other nodes counts here too. After that it looks this often. */
const followedMs = 10_000;
/**
 * How long a key is remembered after its last use. A forgotten key that comes back sooner would be charged for usage of
 * which its bucket has recovered, because the store has only the sum.
 */
const rememberedMs = ({ burst, perSecond }: RateLimit) => Math.max(followedMs, (burst / perSecond) * 1000);
const bucketsMax = 100_000;
const keysPerFlushMax = 10_000;
const purgeEveryMs = 600_000;
const keptMs = hourMs;

export function createRateLimiter(context: RateLimiterContext): RateLimiter {
  const { database, clock, log } = context;
  const buckets = new Map<string, Bucket>();
  let flushing: Promise<void> | undefined;
  let isStoreAway = false;
  let purgedMs = clock.now();

  function fill(bucket: Bucket, nowMs: number): void {
    const { burst, perSecond } = bucket.limit;
    const elapsedMs = Math.max(0, nowMs - bucket.filledMs);
    bucket.tokens = Math.min(burst, bucket.tokens + (elapsedMs * perSecond) / 1000);
    bucket.filledMs = nowMs;
  }

  function bucketOf(key: string, limit: RateLimit, nowMs: number): Bucket {
    const known = buckets.get(key);
    if (known) {
      if (known.limit.burst !== limit.burst || known.limit.perSecond !== limit.perSecond) known.limit = limit;
      return known;
    }
    // Keys come from outside (wrong client_ids), so the map must have a bound.
    if (buckets.size >= bucketsMax) buckets.delete(buckets.keys().next().value as string);
    const bucket = {
      limit,
      tokens: limit.burst,
      filledMs: nowMs,
      takenMs: nowMs,
      lookedMs: nowMs,
      pending: 0,
      seen: undefined,
    };
    buckets.set(key, bucket);
    flushes.start();
    return bucket;
  }

  /**
   * Takes the usage of other nodes from the bucket. The debt is limited: a key waits at most as long as a burst lasts.
   */
  function learn(bucket: Bucket, sum: number, used: number): void {
    const others = Math.max(0, sum - (bucket.seen ?? 0) - used);
    bucket.seen = sum;
    bucket.tokens = Math.max(-bucket.limit.burst, bucket.tokens - others);
  }

  /**
   * How much of a sum counts when a key appears here for the first time: at most a burst, less what the bucket has
   * regained since.
   */
  async function lookAtNew(keys: readonly string[], nowMs: number): Promise<void> {
    const rows = new Map((await listUsage(database, keys)).map((row) => [row.key, row]));
    for (const key of keys) {
      const bucket = buckets.get(key);
      const row = rows.get(key);
      if (!bucket) continue;
      const { burst, perSecond } = bucket.limit;
      const used = row?.used ?? 0;
      const regained = row ? (Math.max(0, nowMs - Date.parse(row.updated_at)) * perSecond) / 1000 : 0;
      bucket.seen = used - Math.max(0, Math.min(used, burst) - regained);
    }
  }

  async function exchange(): Promise<void> {
    const nowMs = clock.now();
    const usage: Usage[] = [];
    const resting: string[] = [];
    for (const [key, bucket] of buckets) {
      fill(bucket, nowMs);
      if (bucket.pending > 0) {
        if (usage.length < keysPerFlushMax) usage.push({ key, used: bucket.pending });
      } else if (bucket.tokens >= bucket.limit.burst && nowMs - bucket.takenMs >= rememberedMs(bucket.limit)) {
        buckets.delete(key);
      } else if (nowMs - bucket.takenMs < followedMs || nowMs - bucket.lookedMs >= followedMs) {
        if (resting.length < keysPerFlushMax) resting.push(key);
      }
    }
    // In key order, so that two nodes never deadlock.
    usage.sort((left, right) => (left.key < right.key ? -1 : 1));
    const usedByKey = new Map(usage.map(({ key, used }) => [key, used]));
    // Tokens taken from here on belong to the next flush.
    for (const { key, used } of usage) (buckets.get(key) as Bucket).pending -= used;
    const unseen = [...usedByKey.keys(), ...resting].filter((key) => buckets.get(key)?.seen === undefined);
    try {
      if (unseen.length > 0) await lookAtNew(unseen, nowMs);
      const at = new Date(nowMs).toISOString();
      const sums = await Promise.all([
        usage.length === 0 ? [] : addUsage(database, at, usage),
        resting.length === 0 ? [] : listUsage(database, resting),
      ]);
      for (const { key, used } of sums.flat()) {
        const bucket = buckets.get(key);
        if (bucket) learn(bucket, used, usedByKey.get(key) ?? 0);
      }
      for (const key of [...usedByKey.keys(), ...resting]) {
        const bucket = buckets.get(key);
        if (bucket) bucket.lookedMs = nowMs;
      }
      isStoreAway = false;
    } catch (error) {
      for (const { key, used } of usage) {
        const bucket = buckets.get(key);
        if (bucket) bucket.pending += used;
      }
      // Each node enforces the limit by itself until the store is back; the warning is logged once.
      if (!isStoreAway) log.warn({ err: error }, "usage cannot be shared between nodes");
      isStoreAway = true;
    }
    if (nowMs - purgedMs >= purgeEveryMs && !isStoreAway) {
      purgedMs = nowMs;
      await deleteIdle(database, new Date(nowMs - keptMs).toISOString()).catch(() => {});
    }
  }

  function flush(): Promise<void> {
    flushing ??= exchange().finally(() => {
      flushing = undefined;
    });
    return flushing;
  }

  const flushes = createTicker(context.flushMs ?? flushMsDefault, () => {
    if (!flushing && buckets.size > 0) void flush();
    return buckets.size > 0;
  });

  function ask(key: string, limit: RateLimit, tokensTaken: 0 | 1): Take {
    const nowMs = clock.now();
    const bucket = bucketOf(key, limit, nowMs);
    fill(bucket, nowMs);
    bucket.takenMs = nowMs;
    const isAllowed = bucket.tokens >= 1;
    if (isAllowed) {
      bucket.tokens -= tokensTaken;
      bucket.pending += tokensTaken;
    }
    const { tokens } = bucket;
    return {
      isAllowed,
      limit,
      remaining: Math.max(0, Math.floor(tokens)),
      resetSeconds: Math.ceil((limit.burst - tokens) / limit.perSecond),
      retryAfterSeconds: tokens >= 1 ? 0 : Math.max(1, Math.ceil((1 - tokens) / limit.perSecond)),
    };
  }

  return {
    take: (key, limit) => ask(key, limit, 1),
    look: (key, limit) => ask(key, limit, 0),
    charge(key, limit, tokens) {
      const nowMs = clock.now();
      const bucket = bucketOf(key, limit, nowMs);
      fill(bucket, nowMs);
      const taken = Math.min(tokens, Math.floor(bucket.tokens + limit.burst));
      if (taken <= 0) return;
      bucket.takenMs = nowMs;
      bucket.tokens -= taken;
      bucket.pending += taken;
    },
    flush,
    async close() {
      flushes.stop();
      await flushing;
      await flush();
    },
  };
}

interface Usage {
  readonly key: string;
  /** The total usage of all nodes since the row was created. */
  readonly used: number;
}

/**
 * Adds this node's usage, in one statement for all keys; returns the sums over all nodes. @param usage sorted by key.
 */
function addUsage(tx: Tx, at: string, usage: readonly Usage[]): Promise<Usage[]> {
  const keys = usage.map(({ key }) => key);
  const used = usage.map((entry) => entry.used);
  return tx.query(
    sql`insert into rate_limit_use as t (key, used, updated_at)
      select x.key, x.used, ${at}::timestamptz from unnest(${keys}::text[], ${used}::bigint[]) as x(key, used)
      on conflict (key) do update set used = t.used + excluded.used, updated_at = excluded.updated_at
      returning t.key, t.used`,
  );
}

function listUsage(tx: Tx, keys: readonly string[]): Promise<(Usage & { readonly updated_at: string })[]> {
  return tx.query(
    sql`select key, used, updated_at from rate_limit_use where key = any(${keys}::text[]) limit ${keys.length}`,
  );
}

/** Deletes the keys that no node has used since. */
async function deleteIdle(tx: Tx, before: string): Promise<void> {
  await tx.query(sql`delete from rate_limit_use where updated_at < ${before}::timestamptz`);
}
