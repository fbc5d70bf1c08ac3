import { answerHolds, jsonOf } from "#/modules/labels/answer.ts";
import type { VerifyCall } from "#/modules/labels/source-contract.ts";
import { valueAt } from "#/modules/labels/template.ts";

/** Fields of an address that a verifier may correct. */
export const correctedFields = ["address1", "address2", "city", "zip", "state"] as const;
export type CorrectedFields = { readonly [Field in (typeof correctedFields)[number]]?: string };

export interface AddressAnswer {
  readonly verdict: "DELIVERABLE" | "DOUBTFUL" | "UNDELIVERABLE";
  readonly reason: string | undefined;
  /** The address as the verifier writes it. */
  readonly address: CorrectedFields;
}

const fieldLengthMax = 100;
const reasonLengthMax = 200;

/** An answer of a verifier of addresses as its call reads it; undefined: it says nothing of the address. */
export function readAddressAnswer(
  { undeliverable, doubtful, deliverable, answer = {} }: VerifyCall,
  { status, body }: { readonly status: number; readonly body: Buffer },
): AddressAnswer | undefined {
  const json = status >= 200 && status <= 299 ? jsonOf(body) : undefined;
  if (json === undefined) return undefined;
  const verdict = answerHolds(undeliverable, json)
    ? "UNDELIVERABLE"
    : doubtful && answerHolds(doubtful, json)
      ? "DOUBTFUL"
      : answerHolds(deliverable, json)
        ? "DELIVERABLE"
        : undefined;
  if (verdict === undefined) return undefined;
  const read = (paths: readonly string[] | undefined, lengthMax: number): string | undefined => {
    const texts = (paths ?? []).map((path) => valueAt(json, path));
    const text = texts.find((value) => typeof value === "string" && value.trim() !== "") as string | undefined;
    return text?.trim().slice(0, lengthMax);
  };
  const fields = correctedFields.flatMap((field) => {
    const value = read(answer[field], fieldLengthMax);
    return value === undefined ? [] : [[field, value] as const];
  });
  return { verdict, reason: read(answer.reason, reasonLengthMax), address: Object.fromEntries(fields) };
}
