import { api } from "../../api.ts";
import { useTimezone } from "../../directory.ts";
import { dayMs } from "../../durations.ts";
import { ActionButton } from "../../parts/actions/action-button.tsx";
import { notifyDone } from "../../parts/actions/notify.ts";
import { counted } from "../../parts/counted.ts";
import { localText, momentAt } from "../../time-range.ts";
import type { Webhook } from "./webhook-data.ts";

interface RecoverWebhookProps {
  readonly webhook: Webhook;
  readonly whyNot: string | undefined;
}

/** Sends the deliveries of a range of time again. */
export function RecoverWebhook({ webhook: { clientId, webhookId }, whyNot }: RecoverWebhookProps) {
  const timezone = useTimezone();
  const localOf = (ms: number) => localText(ms, timezone).slice(0, 16);
  const isoOf = (local: string) => new Date(momentAt(local, timezone)).toISOString();
  return (
    <ActionButton
      isForDevelopers
      verb="Recover"
      title="Resend the deliveries of a range of time"
      text="By time of the event, for deliveries that ended within 30 days; 10,000 at a time, the oldest first. Each has the same webhook-id as before."
      fields={[
        {
          name: "since",
          label: "From",
          kind: "moment",
          isRequired: true,
          initial: localOf(Date.now() - dayMs),
          description: `Times are those of ${timezone}.`,
        },
        { name: "until", label: "To", kind: "moment", description: "Events before this time. Empty: until now." },
        {
          name: "all",
          label: "Include delivered and skipped deliveries",
          kind: "switch",
          description: "Off: only failed deliveries.",
        },
      ]}
      run={async ({ since = "", until = "", all }) => {
        if (until !== "" && until <= since) throw new Error("The end is not after the start.");
        const end = until === "" ? {} : { until: isoOf(until) };
        const body = { since: isoOf(since), ...end, onlyFailed: all !== "true" };
        const { scheduled, nextSince } = await api.POST("/client/webhook/recover/{webhookId}", {
          params: { path: { webhookId }, query: { clientId } },
          body,
        });
        const sent = `${counted(scheduled, "delivery is", "deliveries are")} sent again.`;
        const more =
          nextSince === null
            ? ""
            : ` More match: recover again from ${localOf(Date.parse(nextSince)).replace("T", " ")}.`;
        notifyDone(`${sent}${more}`);
      }}
      whyNot={whyNot}
    />
  );
}
