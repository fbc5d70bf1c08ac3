import { listClientsWithDueChecks } from "#/delivery/addresses/addresses.cross-client.ts";
import { createSourceClient, exchangeOf, type WorkerContext } from "#/delivery/labels/index.ts";
import { type FairTurns, startFairTurns } from "#/kernel/concurrency/fair-turns.ts";
import { metrics } from "#/kernel/telemetry/metrics.ts";
import { findVerifier, listSources, openHeaders, readAddressAnswer } from "#/modules/labels/index.ts";
import {
  addressKeyOf,
  claimChecks,
  type DueCheck,
  findAnswers,
  judge,
  listHeaders,
  postponeCheck,
  type StoredCheck,
  settleCheck,
  sinceOfAnswers,
} from "#/modules/orders/index.ts";
import type { Change } from "#/store/db/audit.ts";
import { logLevelOf, scopeOf } from "#/store/db/errors.ts";
import { createOutboxWriter } from "#/store/outbox/append.ts";

const timeoutMsMax = 5_000;
const retryMs = 5_000;
/** An attempt and its settlement. */
const leaseMs = timeoutMsMax + 5_000;
const size = 8;

type Address = NonNullable<Awaited<ReturnType<typeof listHeaders>>[number]["ship_to_address"]>;
type Attempt = { readonly result: StoredCheck } | { readonly error: string };

const unchecked = (reason: string): StoredCheck => ({
  verdict: "UNCHECKED",
  reason,
  correction: null,
  sourceCode: null,
  checkedAt: null,
});

/**
 * Verifies the addresses of accepted orders. Clients take turns; no transaction is open while a verifier is asked, and an
 * order without an answer goes on at its deadline.
 */
export function startAddressChecker(context: WorkerContext): Pick<FairTurns, "wake" | "stop"> {
  const { database, clock, ids, log, secretBox } = context;
  const client = createSourceClient(context.policy, clock.now);
  const writer = createOutboxWriter(ids, context);
  const iso = (ms: number) => new Date(ms).toISOString();
  const changeNow = (): Change => ({ actor: "worker", origin: "addresses", at: iso(clock.now()), ids });

  type Verifier = NonNullable<ReturnType<typeof findVerifier>>;
  async function ask(source: Verifier, address: Address): Promise<Attempt> {
    const headers = openHeaders(secretBox, source);
    if (headers === undefined) return { error: "the headers of the verifier cannot be decrypted" };
    const { address1, address2, city, zip, state, country, companyName } = address;
    // Who receives the parcel is none of the verifier's business.
    const to = { address1, address2, city, zip, state, country, companyName };
    const values = { to, service: source.definition.services?.["*"] ?? {} };
    const timeoutMs = Math.min((source.definition.timeoutSeconds ?? 5) * 1_000, timeoutMsMax);
    const exchanged = await exchangeOf({ source, headers, client }, source.call, values, timeoutMs);
    if (exchanged.failure) return { error: `${exchanged.failure.errorClass}: ${exchanged.failure.detail}` };
    const answer = readAddressAnswer(source.call, exchanged);
    if (answer === undefined) return { error: `status ${exchanged.status} without a verdict` };
    const { sourceCode } = source;
    return { result: { ...judge(address, answer), sourceCode, checkedAt: iso(clock.now()) } };
  }

  function counted(attempt: Attempt): Attempt {
    metrics.addressRequests.inc({ outcome: "error" in attempt ? "failed" : "answered" });
    return attempt;
  }

  async function check(clientId: string, due: DueCheck, attempt: Attempt): Promise<void> {
    await database.ofClient(clientId).transaction(async (tx) => {
      const change = changeNow();
      const view = tx.of(clientId, change);
      const isLate = Date.parse(due.deadlineAt) <= Date.parse(change.at) + retryMs;
      if ("error" in attempt && !isLate) {
        postponeCheck(view, due, iso(Date.parse(change.at) + retryMs));
        return;
      }
      const result = "result" in attempt ? attempt.result : unchecked(attempt.error);
      writer.append(view, change.at, await settleCheck(view, due, result));
    });
  }

  const turns = startFairTurns<string>({
    name: "addresses",
    sizeMin: size,
    sizeMax: size,
    placesMax: 2,
    paceMs: 50,
    pollMs: 1_000,
    scopeOf,
    async find() {
      const clientIds = await listClientsWithDueChecks(database.lookUps, iso(clock.now()));
      return new Map(clientIds.map((clientId) => [clientId, clientId]));
    },
    async work(clientId) {
      const nowMs = clock.now();
      const at = iso(nowMs);
      const { claimed, headers, answers } = await database.ofClient(clientId).transaction(async (tx) => {
        const view = tx.of(clientId);
        const claimed = await claimChecks(view, { at, leaseUntil: iso(nowMs + leaseMs), limit: size });
        const orderIds = claimed.map(({ orderId }) => orderId);
        const keys = claimed.map(({ addressKey }) => addressKey);
        const [headers, answers] = await Promise.all([
          listHeaders(view, orderIds),
          findAnswers(view, keys, sinceOfAnswers(at)),
        ]);
        return { claimed, headers, answers };
      });
      const verifier = findVerifier(await listSources(database));
      const attempts = claimed.map(async (due) => {
        const { orderId, addressKey, deadlineAt } = due;
        const address = headers.find((header) => header.order_id === orderId)?.ship_to_address;
        const known = answers.get(addressKey);
        const attempt: Attempt | Promise<Attempt> =
          known !== undefined
            ? { result: known }
            : verifier === undefined || context.isHeld()
              ? { result: unchecked("no verifier is set up") }
              : deadlineAt <= at
                ? { error: "the verifier did not answer in time" }
                : !address || addressKeyOf(clientId, address) !== addressKey
                  ? { result: unchecked("the order has another address") }
                  : ask(verifier, address).then(counted);
        await check(clientId, due, await attempt);
      });
      const failed = (await Promise.allSettled(attempts)).find((ended) => ended.status === "rejected");
      if (failed) throw failed.reason;
      return { weight: claimed.length, hasMore: claimed.length === size };
    },
    onError: (error, clientId) => log[logLevelOf(error)]({ err: error, clientId }, "addresses could not be verified"),
  });
  return {
    wake: turns.wake,
    async stop() {
      const stopped = turns.stop();
      await client.close();
      await stopped;
    },
  };
}
