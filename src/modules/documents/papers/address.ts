import type { PaperLanguage } from "#/kernel/values/paper-languages.ts";
import { countryName } from "#/modules/documents/papers/language.ts";

/**
 * A sender or receiver of goods: the printed fields of an address of the NO feed. Telephone and mail address are for
 * the carrier's data and for customs. All may be missing, and none is longer than 255 characters.
 */
export interface Party {
  readonly companyName?: string | undefined;
  readonly department?: string | undefined;
  readonly title?: string | undefined;
  readonly firstName?: string | undefined;
  readonly lastName?: string | undefined;
  readonly address1?: string | undefined;
  readonly address2?: string | undefined;
  readonly city?: string | undefined;
  readonly zip?: string | undefined;
  readonly state?: string | undefined;
  /** ISO 3166-1 alpha-2. */
  readonly country?: string | undefined;
  readonly phone?: string | undefined;
  readonly email?: string | undefined;
}

/** Countries with the postcode after the city, on its line; the state is between them. */
const zipAfterCity = new Set("AU BD BH BR CA CN GU HK ID IN JO KR LK NZ NP PK PR SA SG TH TW US VI ZA".split(" "));

/** Countries with the postcode on a separate line. */
const zipAlone = new Set("GB GG IE IM JE GI FK KE KW MT UA".split(" "));

/** The lines of an address in the format of the country of destination, without empty lines; the country comes last. */
export function addressLines(party: Party, language: PaperLanguage): string[] {
  const country = party.country?.trim().toUpperCase();
  const name = joined(" ", party.title, party.firstName, party.lastName);
  const state = party.state?.trim() === party.city?.trim() ? undefined : party.state;
  const place =
    country !== undefined && zipAlone.has(country)
      ? [party.city, state, party.zip]
      : country !== undefined && zipAfterCity.has(country)
        ? [joined(" ", joined(", ", party.city, state), party.zip)]
        : [joined(" ", party.zip, party.city), state];
  const lines = [party.companyName, party.department, name, party.address1, party.address2, ...place];
  const last = country === undefined ? undefined : countryName(country, language);
  return [...lines, last].flatMap((line) => line?.trim() || []);
}

function joined(separator: string, ...parts: (string | undefined)[]): string {
  return parts.flatMap((part) => part?.trim() || []).join(separator);
}
