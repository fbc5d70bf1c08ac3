/**
 * Numbers and reasons that a customs declaration states. Only their form is checked, not whether they are assigned: no
 * register of VAT or EORI numbers is reachable from every installation.
 */
import type { Parser } from "#/kernel/config/parsers.ts";
import { ok, refused } from "#/kernel/result.ts";

/** Why goods leave the customs area, as the commercial invoice states it. */
export const reasonsForExport = ["SALE", "GIFT", "SAMPLE", "RETURN", "REPAIR"] as const;
export type ReasonForExport = (typeof reasonsForExport)[number];

export const parseReasonForExport: Parser<ReasonForExport> = (text) => {
  const word = text.trim().toUpperCase();
  const reason = reasonsForExport.find((candidate) => candidate === word);
  return reason === undefined ? refused(`expected ${reasonsForExport.join(", ")}`) : ok(reason);
};

/** A number as people write it, in capitals, without the blanks, dots and hyphens between its groups. */
function numberOf(form: RegExp, expected: string): Parser<string> {
  return (text) => {
    const plain = text.toUpperCase().replaceAll(/[\s.-]/g, "");
    return form.test(plain) ? ok(plain) : refused(`expected ${expected}`);
  };
}

/** @see Commission Delegated Regulation (EU) 2015/2446, annex 12-01: a country code and at most 15 characters. */
export const parseEori = numberOf(
  /^[A-Z]{2}[A-Z0-9]{1,15}$/,
  "a country code and 1 to 15 letters and digits, such as GB123456789000",
);

/** With the country code of Council Directive 2006/112/EC, article 215, and of countries outside the Union alike. */
export const parseVatNumber = numberOf(
  /^[A-Z]{2}[A-Z0-9+*]{2,15}$/,
  "a country code and 2 to 15 letters and digits, such as DE123456789",
);

/** @see Commission Implementing Regulation (EU) 2020/194, annex V: IM, country, number and check digit. */
export const parseIossNumber = numberOf(/^IM\d{10}$/, "IM and ten digits, such as IM2760000742");
