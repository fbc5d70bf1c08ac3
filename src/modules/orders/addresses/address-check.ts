// Verification of the ship-to address of an order (contract feeds.md, NO). The verifier is called after the commit.
import { createHash } from "node:crypto";
import type { FeedSettings } from "#/intake/feeds/intake/definition.ts";
import { dayMs } from "#/kernel/values/durations.ts";
import { type AddressAnswer, type CorrectedFields, correctedFields } from "#/modules/labels/index.ts";
import { findAnswers, findCheck, insertChecks, type StoredCheck } from "#/modules/orders/addresses/repository.ts";
import { withHold } from "#/modules/orders/commands/hold-order.ts";
import { checkPlace } from "#/modules/orders/intake/check-address.ts";
import type { AddressElement } from "#/modules/orders/intake/contract.ts";
import type { Hold, Order } from "#/modules/orders/order.ts";
import type { ClientTx, UnitOfWork } from "#/store/db/database.ts";

/** An answer is taken for further orders so long: buildings and postcodes change. */
const answerMsMax = 30 * dayMs;
/** An order waits no longer for its verifier. */
const checkMsMax = 15_000;

export const sinceOfAnswers = (at: string): string => new Date(Date.parse(at) - answerMsMax).toISOString();

/** The check of an order's address, with the answer that is known already. */
export interface AddressCheck {
  readonly orderId: string;
  readonly addressKey: string;
  readonly handling: FeedSettings["addressCheck"];
  readonly answer: StoredCheck | undefined;
}

const normalise = (text: string | undefined) =>
  (text ?? "")
    .normalize("NFKC")
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();

/** A digest of the place, not of its recipient: the table of answers keeps no address of another order. */
export function addressKeyOf(clientId: string, address: AddressElement): string {
  const place = [...correctedFields, "country" as const].map((field) => normalise(address[field]));
  return createHash("sha256")
    .update([clientId, ...place].join("\n"))
    .digest("base64url");
}

/**
 * The checks of some orders by the setting of their client, by order. A client without the setting costs nothing, another
 * one a statement for all of its orders.
 */
export async function prepareChecks(
  tx: ClientTx,
  { addressCheck: handling }: Pick<FeedSettings, "addressCheck">,
  orders: readonly { readonly orderId: string; readonly address: AddressElement | undefined }[],
  at: string,
): Promise<ReadonlyMap<string, AddressCheck>> {
  if (handling === "OFF") return new Map();
  const keys = new Map(
    orders.flatMap(({ orderId, address }) =>
      address === undefined ? [] : [[orderId, addressKeyOf(tx.clientId, address)] as const],
    ),
  );
  if (keys.size === 0) return new Map();
  const answers = await findAnswers(tx, [...new Set(keys.values())], sinceOfAnswers(at));
  return new Map(
    [...keys].map(([orderId, addressKey]) => [
      orderId,
      { orderId, addressKey, handling, answer: answers.get(addressKey) },
    ]),
  );
}

/** Stores checks with the change of their orders. Those without an answer are due at once. */
export function writeChecks(tx: UnitOfWork, checks: readonly AddressCheck[]): void {
  if (checks.length === 0) return;
  const { at } = tx.change;
  const deadline = new Date(Date.parse(at) + checkMsMax).toISOString();
  insertChecks(
    tx,
    checks.map(({ orderId, addressKey, answer }) => ({
      order_id: orderId,
      verdict: answer?.verdict ?? "CHECKING",
      address_key: addressKey,
      reason: answer?.reason,
      correction: answer?.correction,
      source_code: answer?.sourceCode,
      checked_at: answer?.checkedAt,
      due_at: answer === undefined ? at : null,
      deadline_at: deadline,
    })),
  );
}

/** The fault of an address, in words without the address; undefined without a fault. */
function faultOf({ verdict, reason }: Pick<StoredCheck, "verdict" | "reason">): string | undefined {
  if (verdict !== "DOUBTFUL" && verdict !== "UNDELIVERABLE") return undefined;
  const what = verdict === "DOUBTFUL" ? "is doubtful" : "cannot be delivered to";
  return reason ? `${what}: ${reason}` : what;
}

/** The finding about a known address: a fault where the client refuses it, else a warning. */
export function findingOfCheck({
  handling,
  answer,
}: AddressCheck): { readonly isFault: boolean; readonly message: string } | undefined {
  const fault = answer && faultOf(answer);
  if (fault === undefined) return undefined;
  return { isFault: handling === "REFUSE" && answer?.verdict === "UNDELIVERABLE", message: fault };
}

/** The actor of holds by a verifier. */
const byVerifier = "verifier";

/** The holds of an order until its address is verified, or because of what the verifier said. */
export function holdsOfCheck(check: Pick<AddressCheck, "handling" | "answer"> | undefined, at: string): Hold[] {
  if (check?.handling !== "HOLD" && check?.handling !== "REFUSE") return [];
  const of = { since: at, by: byVerifier };
  const { answer } = check;
  if (answer === undefined) return [{ type: "ADDRESS_CHECK", reason: "the address is being verified", ...of }];
  const fault = faultOf(answer);
  return fault === undefined ? [] : [{ type: "ADDRESS_INVALID", reason: `shipToAddress ${fault}`, ...of }];
}

/** The order with the holds of a new address in the place of those of the former one. */
export function withCheck(order: Order, check: AddressCheck, at: string): Order {
  const waits = order.holds.filter(({ type }) => type !== "ADDRESS_CHECK");
  return holdsOfCheck(check, at).reduce(
    withHold,
    waits.length === order.holds.length ? order : { ...order, holds: waits },
  );
}

/** The verdict about an address, and the fields that the verifier writes otherwise. */
export function judge(
  address: AddressElement,
  { verdict, reason, address: found }: AddressAnswer,
): Pick<StoredCheck, "verdict" | "reason" | "correction"> {
  const { country = "" } = address;
  const fields = correctedFields.flatMap((field) => {
    const text = found[field];
    const isOther = text !== undefined && normalise(text) !== normalise(address[field]);
    return isOther && (field !== "zip" || checkPlace(country, text).ok) ? [[field, text] as const] : [];
  });
  const correction: CorrectedFields | null = fields.length === 0 ? null : Object.fromEntries(fields);
  const isCorrected = verdict === "DELIVERABLE" && correction !== null;
  return { verdict: isCorrected ? "CORRECTED" : verdict, reason: reason ?? null, correction };
}

/** The fields that the verifier has corrected in the present address of an order. */
export async function findCorrection(tx: ClientTx, orderId: string, address: AddressElement): Promise<CorrectedFields> {
  const check = await findCheck(tx, orderId, addressKeyOf(tx.clientId, address));
  return check?.verdict === "CORRECTED" ? (check.correction ?? {}) : {};
}
