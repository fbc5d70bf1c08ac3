import type { ComponentType } from "react";
import { useSession } from "../session.tsx";
import { Empty } from "./empty.tsx";
import { Screen } from "./screen.tsx";

/**
 * The page, for users of all facilities. Others see why they have none: what it shows is a client's and no facility's.
 *
 * @param what it shows, as the beginning of a sentence: "Mails"
 * @param instead where the user finds what there is of the own facilities, as a sentence.
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
