import type { ComponentType } from "react";
import type { Pages } from "../../frame/area-pages.tsx";
import { ofAllFacilities } from "../../parts/all-facilities.tsx";
import { FeedList } from "./feed-list.tsx";
import { FeedPage } from "./feed-page.tsx";
import { Validator } from "./validator.tsx";

const closable = (Page: ComponentType) =>
  ofAllFacilities(Page, {
    title: "Feeds",
    what: "Documents that clients send",
    instead: "Their results are under Orders, Inbound and Returns.",
  });

/** Everything below /console/feeds: the received documents, one document, and the validator. */
export const feedsPages: Pages = {
  "": closable(FeedList),
  validate: closable(Validator),
  ":token": closable(FeedPage),
};
