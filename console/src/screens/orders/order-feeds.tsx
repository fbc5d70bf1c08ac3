import { api, unwrap } from "../../api.ts";
import { useData } from "../../data.ts";
import { linkTo } from "../../links.ts";
import { codeWithWord, inboundWords } from "../../parts/feed-words.ts";
import { Go } from "../../parts/go.tsx";
import { Id } from "../../parts/id.tsx";
import { Empty } from "../../parts/loading/empty.tsx";
import { Loaded } from "../../parts/loading/loaded.tsx";
import { StateBadge } from "../../parts/state-badge.tsx";
import { Time } from "../../parts/time.tsx";
import { wordOf } from "../../parts/tones.ts";
import type { Order } from "./order-words.ts";
import styles from "./orders.module.css";

/** The received documents that changed the order, each with a link to its page. */
export function OrderFeeds({ order }: { readonly order: Order }) {
  const { clientId, orderId } = order;
  const feeds = useData(
    ["order-feeds", clientId, orderId],
    (signal) =>
      unwrap(api.GET("/order/feeds/{orderId}", { params: { path: { orderId }, query: { clientId } }, signal })),
    { live: 10_000 },
  );
  return (
    <Loaded query={feeds} what="The feeds">
      {({ items }) =>
        items.length === 0 ? (
          <Empty why="No documents of this order are stored: raw feeds are kept for 90 days." />
        ) : (
          <div className={styles.wide}>
            <table className={styles.table}>
              <thead>
                <tr>
                  <th scope="col">Document</th>
                  <th scope="col">Type</th>
                  <th scope="col">Asks for</th>
                  <th scope="col">Outcome</th>
                  <th scope="col">Came by</th>
                  <th scope="col" data-align="right">
                    Bytes
                  </th>
                  <th scope="col">Received</th>
                </tr>
              </thead>
              <tbody>
                {items.map((feed) => (
                  <tr key={feed.token}>
                    <td>
                      <Go to={linkTo("feed", "", feed.token)}>Order {orderId}</Go>{" "}
                      <Id text={feed.token} length={12} isSmall />
                    </td>
                    <td>{codeWithWord(inboundWords, feed.feedType)}</td>
                    <td>{feed.action === null ? "not known" : wordOf(feed.action)}</td>
                    <td>
                      <StateBadge kind="feed" state={feed.state} />
                      {feed.errors === 0 ? null : <span className={styles.detail}>{feed.errors} errors</span>}
                    </td>
                    <td>{feed.channel}</td>
                    <td data-align="right">{feed.bytes.toLocaleString("en-GB")}</td>
                    <td>
                      <Time at={feed.receivedAt} facility={order.distributionCentre} />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )
      }
    </Loaded>
  );
}
