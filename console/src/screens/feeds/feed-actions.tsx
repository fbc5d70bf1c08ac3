import { Button } from "@mantine/core";
import { Link, useSearchParams } from "react-router";
import type { components } from "#operator";
import { api } from "../../api.ts";
import { ActionButton } from "../../parts/actions/action-button.tsx";
import { useReason } from "../../parts/actions/action-reasons.tsx";
import { notifyDone, notifyWaiting } from "../../parts/actions/notify.ts";
import { editableMax } from "../../parts/document/document-editor.tsx";
import { withScope } from "../../scope.ts";
import { useMay } from "../../session.tsx";
import { correctedParam } from "./validator.tsx";

type Feed = components["schemas"]["FeedDocument"];

/** An operator's actions on a document, as allowed by the API. */
export function FeedActions({ feed }: { readonly feed: Feed }) {
  const { token, clientId, type, objectId, actions } = feed;
  const params = { path: { token }, query: { clientId } };
  const refresh = [
    ["/feed/get/{token}", { path: { token } }],
    ["feedTimeline", token],
    ["feedAck", token],
    ["feedCounts"],
    ["list", "feeds"],
  ];
  const name = objectId === null ? `this ${type} document` : `the ${type} document about ${objectId}`;
  return (
    <>
      <Correct feed={feed} />
      {actions.includes("park") ? (
        <ActionButton
          verb="Park"
          refresh={refresh}
          title={`Park ${name}`}
          text="The document waits until a catalogue contains all of its SKUs and is then processed again automatically. The client receives an ACK feed."
          run={() => api.POST("/feed/park/{token}", { params, body: {} })}
          done="The document is parked."
        />
      ) : null}
      {actions.includes("reprocess") ? (
        <ActionButton
          verb="Reprocess"
          refresh={refresh}
          isPrimary={!mustBeCorrected(feed)}
          title={`Reprocess ${name}`}
          text={
            type === "CAT"
              ? "Current rules and data apply. If the document is accepted, it takes effect at once: its items replace those of later catalogues. The client receives an ACK feed."
              : "Current rules and data apply. If the document is accepted, it takes effect at once, as if it were sent now, and the client receives an ACK feed. If not, its new errors replace the old ones."
          }
          run={async () => {
            const { outcome, detail } = await api.POST("/feed/reprocess/{token}", { params, body: {} });
            (outcome === "ACCEPTED" ? notifyDone : notifyWaiting)(detail);
          }}
        />
      ) : null}
      {actions.includes("retry") ? (
        <ActionButton
          verb="Retry processing"
          refresh={refresh}
          isPrimary
          title={`Retry processing of ${name}`}
          text="The document is already accepted. Its unpublished events are published now."
          run={() => api.POST("/feed/retry/{token}", { params, body: {} })}
          done="Processing of the document is retried."
        />
      ) : null}
    </>
  );
}

const verb = "Correct and send";

/** Opens a rejected document in the validator, which sends the corrected text. */
function Correct({ feed }: { readonly feed: Feed }) {
  const { token, state, size, isPayloadKept } = feed;
  const mayDo = useMay("operator");
  const [params] = useSearchParams();
  const isRejected = state === "REJECTED" || state === "PARKED";
  const isTooLarge = size > editableMax;
  const whyNot = isTooLarge
    ? "It is over 512 KiB: download it, and open the corrected file in the validator."
    : undefined;
  const isOffered = mayDo && isRejected && isPayloadKept;
  useReason(verb, isOffered ? whyNot : undefined);
  if (!isOffered) return null;
  if (isTooLarge)
    return (
      <Button size="xs" variant="default" disabled title={whyNot}>
        {verb}
      </Button>
    );
  return (
    <Button
      component={Link}
      to={withScope(`/feeds/validate?${correctedParam}=${token}`, params)}
      size="xs"
      variant={mustBeCorrected(feed) ? "filled" : "default"}
    >
      {verb}
    </Button>
  );
}

/** Its text is at fault, and not the data at the time: it would be rejected again. */
const mustBeCorrected = ({ faults }: Feed) => faults.some(({ code }) => code === "XML" || code === "XSD");
