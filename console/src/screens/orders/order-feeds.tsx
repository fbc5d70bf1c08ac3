import type { components } from "#operator";
import { useAnswer } from "../../data.ts";
import { linkTo } from "../../links.ts";
import { codeWithWord, inboundWords } from "../../parts/feed-words.ts";
import type { Column } from "../../parts/list/data-list.tsx";
import { StaticList } from "../../parts/list/static-list.tsx";
import { Loaded } from "../../parts/loading/loaded.tsx";
import { Time } from "../../parts/time.tsx";
import type { Order } from "./order-words.ts";

type Feed = components["schemas"]["OrderFeed"];

const columnsOf = ({ orderId, distributionCentre }: Order): readonly Column<Feed>[] => [
  {
    key: "document",
    header: "Document",
    width: 240,
    of: () => `Order ${orderId}`,
    to: ({ token }) => linkTo("feed", "", token),
  },
  { key: "token", kind: "token", header: "Token" },
  { key: "feedType", header: "Type", width: 150, cell: ({ feedType }) => codeWithWord(inboundWords, feedType) },
  { key: "action", kind: "word", header: "Asks for", none: "not known" },
  { key: "state", states: "feed" },
  { key: "errors", kind: "count", header: "Errors" },
  { key: "channel", header: "Came by", width: 96 },
  { key: "bytes", kind: "count", header: "Bytes" },
  {
    key: "receivedAt",
    header: "Received",
    cell: ({ receivedAt }) => <Time at={receivedAt} facility={distributionCentre} />,
  },
];

/** The received documents that changed the order, each with a link to its page. */
export function OrderFeeds({ order }: { readonly order: Order }) {
  const { clientId, orderId } = order;
  const feeds = useAnswer("/order/feeds/{orderId}", { path: { orderId }, query: { clientId } }, { live: 10_000 });
  return (
    <Loaded query={feeds} what="The feeds">
      {({ items }) => (
        <StaticList
          id="order-feeds"
          label="Feeds of the order"
          columns={columnsOf(order)}
          rows={items}
          empty={{ why: "No documents of this order are stored: raw feeds are kept for 90 days." }}
        />
      )}
    </Loaded>
  );
}
