import { linkTo } from "../../links.ts";
import { Go } from "../../parts/go.tsx";
import { clientFact } from "../../parts/page/place-facts.tsx";

const prefix = "facility:";

/** The facility whose warehouse owns a webhook; undefined for a client's webhook. */
export const facilityOf = (clientId: string): string | undefined =>
  clientId.startsWith(prefix) ? clientId.slice(prefix.length) : undefined;

/** The owner of a webhook in words: a client, or `facility DC1`. */
export function ownerName(clientId: string): string {
  const facilityCode = facilityOf(clientId);
  return facilityCode === undefined ? clientId : `facility ${facilityCode}`;
}

/** The fact that names the owner of a webhook. */
export function ownerFact(clientId: string) {
  const facilityCode = facilityOf(clientId);
  return facilityCode === undefined
    ? clientFact(clientId)
    : { name: "Owner", value: <Go to={linkTo("facility", "", facilityCode)}>facility {facilityCode}</Go> };
}
