import { useParams } from "react-router";
import { linkTo } from "../../links.ts";

/** Whose requests a page shows: those of a client, or of the warehouse of a facility. */
export interface RequestOwner {
  /** The owner as the API takes it: `ACME`, `facility:DC1`. */
  readonly clientId: string;
  readonly facilityCode: string | undefined;
  /** Code of the client or facility. */
  readonly code: string;
  /** Address of its page. */
  readonly path: string;
}

/** The owner in the address of the page. */
export function useRequestOwner(): RequestOwner {
  const { clientId, facilityCode = "" } = useParams();
  if (clientId !== undefined) {
    return { clientId, facilityCode: undefined, code: clientId, path: linkTo("client", "", clientId) };
  }
  const path = linkTo("facility", "", facilityCode);
  return { clientId: `facility:${facilityCode}`, facilityCode, code: facilityCode, path };
}
