import type { components } from "#operator";
import { api, unwrap } from "../../api.ts";
import { ActionButton } from "../../parts/actions/action-button.tsx";
import { notifyDone } from "../../parts/actions/notify.ts";

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
            text: "The document waits until a catalogue contains all of its SKUs and is then processed again automatically. The client receives an ACK feed.",
          }}
          run={() => unwrap(api.POST("/feed/park/{token}", { params, body: {} }))}
          done="The document is parked."
        />
      ) : null}
      {actions.includes("reprocess") ? (
        <ActionButton
          verb="Reprocess"
          refresh={refresh}
          isPrimary
          confirm={{
            title: `Reprocess ${name}`,
            text:
              type === "CAT"
                ? "Current rules and data apply. If the document is accepted, it takes effect at once: its items replace those of later catalogues. The client receives an ACK feed."
                : "Current rules and data apply. If the document is accepted, it takes effect at once, as if it were sent now, and the client receives an ACK feed. If not, its new errors replace the old ones.",
          }}
          run={async () => {
            const { detail } = await unwrap(api.POST("/feed/reprocess/{token}", { params, body: {} }));
            notifyDone(detail);
          }}
        />
      ) : null}
      {actions.includes("retry") ? (
        <ActionButton
          verb="Retry processing"
          refresh={refresh}
          isPrimary
          confirm={{
            title: `Retry processing of ${name}`,
            text: "The document is already accepted. Its unpublished events are published now.",
          }}
          run={() => unwrap(api.POST("/feed/retry/{token}", { params, body: {} }))}
          done="Processing of the document is retried."
        />
      ) : null}
    </>
  );
}
