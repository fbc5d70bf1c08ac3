import type { Refusal } from "#/modules/facilities/refusal.ts";

/** The most faults that a refusal lists. */
const faultsMax = 20;

/** 404 before 409 before 422 (rest.md §2, order of judgement). */
const order: readonly Refusal["status"][] = [404, 409, 422];

/** All faults of a report as one refusal: with the status that takes precedence and every sentence. */
export function joinRefusals(refusals: readonly [Refusal, ...Refusal[]]): Refusal {
  const status = order.find((status) => refusals.some((refusal) => refusal.status === status)) ?? 409;
  const sentences = refusals.slice(0, faultsMax).map(({ detail }) => detail);
  const more = refusals.length - faultsMax;
  const errors = refusals.slice(0, faultsMax).flatMap((refusal) => refusal.errors ?? []);
  const detail = [...sentences, ...(more > 0 ? [`And ${more} more.`] : [])].join(" ");
  return { status, detail, ...(errors.length === 0 ? {} : { errors }) };
}
