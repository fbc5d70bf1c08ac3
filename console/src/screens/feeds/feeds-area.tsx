import type { ComponentType } from "react";
import type { Pages } from "../../frame/area-pages.tsx";
import { Empty } from "../../parts/empty.tsx";
import { Screen } from "../../parts/screen.tsx";
import { useSession } from "../../session.tsx";
import { FeedList } from "./feed-list.tsx";
import { FeedPage } from "./feed-page.tsx";
import { Validator } from "./validator.tsx";

/** Everything below /console/feeds: what came in, one document of it, and the validator. */
export const feedsPages: Pages = {
  "": ofAllFacilities(FeedList),
  validate: ofAllFacilities(Validator),
  ":token": ofAllFacilities(FeedPage),
};

/** The page, for users of all facilities; other users see why they have none. */
function ofAllFacilities(Page: ComponentType): ComponentType {
  return function OfAllFacilities() {
    const { facilityCodes } = useSession();
    if (facilityCodes === null) return <Page />;
    return (
      <Screen title="Feeds">
        <Empty
          why={`Documents are a client's and not a facility's, and you are limited to ${facilityCodes.join(", ")}. What came of them stands under orders, inbound and returns.`}
        />
      </Screen>
    );
  };
}
