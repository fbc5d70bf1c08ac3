import { linkTo } from "../../links.ts";
import { Go } from "../../parts/go.tsx";

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
    ? { name: "Client", value: <Go to={linkTo("client", clientId, clientId)}>{clientId}</Go> }
    : { name: "Owner", value: <Go to={linkTo("facility", "", facilityCode)}>facility {facilityCode}</Go> };
}
