import type { ComponentType } from "react";
import { useSession } from "../session.tsx";
import { Empty } from "./loading/empty.tsx";
import { Screen } from "./page/screen.tsx";

/**
 * Limits the page to users of all facilities, because its content belongs to a client and not to a facility. Others see
 * an explanation.
 *
 * @param what content of the page, as the beginning of a sentence: "Mails"
 * @param instead where the user finds the data of the allowed facilities, as a sentence.
 */
export function ofAllFacilities(
  Page: ComponentType,
  { title, what, instead = "" }: { readonly title: string; readonly what: string; readonly instead?: string },
): ComponentType {
  return function OfAllFacilities() {
    const { facilityCodes } = useSession();
    if (facilityCodes === null) return <Page />;
    return (
      <Screen title={title}>
        <Empty
          why={`${what} concern all facilities of a client, and you are limited to ${facilityCodes.join(", ")}. ${instead}`.trim()}
        />
      </Screen>
    );
  };
}
