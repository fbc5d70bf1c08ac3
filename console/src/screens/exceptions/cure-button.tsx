import { linkTo } from "../../links.ts";
import { ActionButton } from "../../parts/actions/action-button.tsx";
import { Go } from "../../parts/go.tsx";
import { useMay, useSession } from "../../session.tsx";
import { cure } from "./exception-actions.ts";
import type { Exception, ExceptionType } from "./exception-words.ts";

/** The page of an exception's object. */
export const linkOf = ({ objectType, clientId, objectId }: Exception): string => linkTo(objectType, clientId, objectId);

/** Only users of all facilities replay a delivery, because its webhook belongs to a client. */
const ofAllFacilities: readonly string[] = ["DELIVERY_FAILED", "OUTBOUND_FAILED"];

/** Whether the user may run the operation of such an exception. */
export function useMayCure(type: ExceptionType): boolean {
  const isLimited = useSession().facilityCodes !== null;
  return useMay("operator") && !(isLimited && ofAllFacilities.includes(type));
}

/** The action that resolves it: opens the object, or runs an operation. */
export function CureButton({ row }: { readonly row: Exception }) {
  const { verb, kind } = row.cure;
  const mayWork = useMayCure(row.type);
  if (kind === "link" || !mayWork) {
    const shown = kind === "link" ? verb : "Open";
    return (
      <Go to={linkOf(row)} label={`${shown}: ${row.objectId}`}>
        {shown}
      </Go>
    );
  }
  return <ActionButton verb={verb} size="xs" run={() => cure(row)} done={`${verb}: done for ${row.objectId}.`} />;
}
