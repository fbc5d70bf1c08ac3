import { Route, Routes } from "react-router";
import { Empty } from "../../parts/empty.tsx";
import { Screen } from "../../parts/screen.tsx";
import { useSession } from "../../session.tsx";
import { FeedList } from "./feed-list.tsx";
import { FeedPage } from "./feed-page.tsx";
import { Validator } from "./validator.tsx";

/** Everything below /console/feeds: what came in, one document of it, and the validator. */
export function FeedsArea() {
  const { facilityCodes } = useSession();
  if (facilityCodes !== null) {
    return (
      <Screen title="Feeds">
        <Empty
          why={`Documents are a client's and not a facility's, and you are limited to ${facilityCodes.join(", ")}. What came of them stands under orders, inbound and returns.`}
        />
      </Screen>
    );
  }
  return (
    <Routes>
      <Route index element={<FeedList />} />
      <Route path="validate" element={<Validator />} />
      <Route path=":token" element={<FeedPage />} />
    </Routes>
  );
}
