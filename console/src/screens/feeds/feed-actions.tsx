import type { components } from "#operator";
import { api, unwrap } from "../../api.ts";
import { ActionButton } from "../../parts/action-button.tsx";
import { notifyDone } from "../../parts/notify.ts";

type Feed = components["schemas"]["FeedDocument"];

/** An operator's actions on a document, as allowed by the API. */
export function FeedActions({ feed }: { readonly feed: Feed }) {
  const { token, clientId, type, objectId, actions } = feed;
  const params = { path: { token }, query: { clientId } };
  const refresh = [["feed", token], ["feedTimeline", token], ["feedAck", token], ["feedCounts"], ["list", "feeds"]];
  const name = objectId === null ? `this ${type} document` : `the ${type} document about ${objectId}`;
  return (
    <>
      {actions.includes("park") ? (
        <ActionButton
          verb="Park"
          refresh={refresh}
          confirm={{
            title: `Park ${name}`,
            text: "It waits until a catalogue has brought all of its SKUs, and is judged again by itself then. Its client is told by an ACK feed.",
          }}
          run={() => unwrap(api.POST("/feed/park/{token}", { params, body: {} }))}
          done="The document is parked."
        />
      ) : null}
      {actions.includes("judgeAgain") ? (
        <ActionButton
          verb="Judge again"
          refresh={refresh}
          isPrimary
          confirm={{
            title: `Judge ${name} again`,
            text:
              type === "CAT"
                ? "It is judged by today's rules and data. If it is accepted it takes effect at once: its items replace what later catalogues may have brought, and its client is told by an ACK feed."
                : "It is judged by today's rules and data. If it is accepted it takes effect at once, as if it had been sent now, and its client is told by an ACK feed. If not, its errors are those of now.",
          }}
          run={async () => {
            const { detail } = await unwrap(api.POST("/feed/judgeAgain/{token}", { params, body: {} }));
            notifyDone(detail);
          }}
        />
      ) : null}
      {actions.includes("retry") ? (
        <ActionButton
          verb="Try its work again"
          refresh={refresh}
          isPrimary
          confirm={{
            title: `Try the work of ${name} again`,
            text: "The document is accepted already; what could not be published of it is published now.",
          }}
          run={() => unwrap(api.POST("/feed/retry/{token}", { params, body: {} }))}
          done="The document's work is tried again."
        />
      ) : null}
    </>
  );
}
