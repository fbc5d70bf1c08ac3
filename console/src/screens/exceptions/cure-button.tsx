import { ActionButton } from "../../parts/action-button.tsx";
import { Go } from "../../parts/go.tsx";
import { useMay, useSession } from "../../session.tsx";
import { wayTo } from "../../ways.ts";
import { cure } from "./exception-actions.ts";
import type { Exception } from "./exception-words.ts";

/** Where the object of an exception is shown. */
export const wayOf = ({ objectType, clientId, objectId }: Exception): string => wayTo(objectType, clientId, objectId);

/** A delivery is replayed by users of all facilities: its webhook is a client's. */
const ofAllFacilities: readonly string[] = ["DELIVERY_FAILED", "OUTBOUND_FAILED"];

/** The way to put it right: a look at the object, or what is to be done with it. */
export function CureButton({ row }: { readonly row: Exception }) {
  const { verb, kind } = row.cure;
  const isLimited = useSession().facilityCodes !== null;
  const mayWork = useMay("operator") && !(isLimited && ofAllFacilities.includes(row.type));
  if (kind === "link" || !mayWork) {
    const shown = kind === "link" ? verb : "Open";
    return (
      <Go to={wayOf(row)} label={`${shown}: ${row.objectId}`}>
        {shown}
      </Go>
    );
  }
  return <ActionButton verb={verb} size="xs" run={() => cure(row)} done={`${verb}: done for ${row.objectId}.`} />;
}
