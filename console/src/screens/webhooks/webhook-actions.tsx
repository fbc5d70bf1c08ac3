import { api } from "../../api.ts";
import { ActionButton } from "../../parts/actions/action-button.tsx";
import { afterGrace } from "../../parts/actions/undo.tsx";
import { counted } from "../../parts/counted.ts";
import { EditWebhook } from "./edit-webhook.tsx";
import { RecoverWebhook } from "./recover-webhook.tsx";
import { TestCall, type TestOutcome } from "./test-call.tsx";
import type { Webhook } from "./webhook-data.ts";

interface WebhookActionsProps {
  readonly webhook: Webhook;
  onTest(outcome: TestOutcome): void;
  onSecret(secret: string): void;
  onDeleted(): void;
}

/** Actions on a webhook, with the client's own operations. */
export function WebhookActions({ webhook, onTest, onSecret, onDeleted }: WebhookActionsProps) {
  const { clientId, webhookId, status, url } = webhook;
  const params = { path: { webhookId }, query: { clientId } };
  const isStopped = status === "PAUSED" || status === "DISABLED";
  const pausedNow = status === "PAUSED" ? "The webhook is paused: resume it first." : undefined;
  const pause = (isPaused: 0 | 1) => api.PATCH("/client/webhook/patch/{webhookId}", { params, body: { isPaused } });
  return (
    <>
      <TestCall webhook={webhook} onTest={onTest} whyNot={pausedNow} />
      {isStopped ? (
        <ActionButton
          isForDevelopers
          verb="Resume webhook"
          isPrimary
          run={() => pause(0)}
          done="The webhook is active, and held deliveries are sent."
        />
      ) : (
        <ActionButton
          isForDevelopers
          verb="Pause webhook"
          title="Pause this webhook"
          text={<Pausing webhook={webhook} />}
          run={async () =>
            afterGrace({
              message: "The webhook is paused in 5 seconds.",
              done: "The webhook is paused.",
              failed: "The webhook was not paused",
              run: () => pause(1),
            })
          }
        />
      )}
      <EditWebhook webhook={webhook} />
      <RecoverWebhook webhook={webhook} whyNot={pausedNow} />
      <ActionButton
        isForDevelopers
        verb="Rotate secret"
        title="Create a new signing secret"
        text="It is shown once. The previous secret also signs for 24 hours, so that the client can switch."
        run={async () => {
          const { signingSecret } = await api.POST("/client/webhook/rotateSecret/{webhookId}", { params });
          onSecret(signingSecret);
        }}
      />
      <ActionButton
        isForDevelopers
        verb="Delete webhook"
        isDestructive
        title="Delete this webhook"
        text={`Nothing more is sent to ${url}, and waiting deliveries are dropped. Its deliveries stay visible and cannot be replayed.`}
        run={async () => {
          await api.DELETE("/client/webhook/delete/{webhookId}", { params });
          onDeleted();
        }}
        done="The webhook was deleted."
        refresh={[["list", "webhooks"]]}
      />
    </>
  );
}

/** Effect of a pause on deliveries that wait, and on events that occur meanwhile. */
function Pausing({ webhook: { url, health } }: { readonly webhook: Webhook }) {
  const waiting =
    health.pending === 0
      ? "No delivery waits now."
      : `${counted(health.pending, "delivery that waits is", "deliveries that wait are")} held, and sent when it is resumed.`;
  return (
    <>
      <p>
        Nothing is sent to {url} until it is resumed. {waiting}
      </p>
      <p>
        Events that occur meanwhile are skipped: they are sent only by Recover with delivered and skipped deliveries, or
        by Replay delivery. A receiver that is only under maintenance needs no pause: what it does not answer is sent
        again for up to eight days.
      </p>
    </>
  );
}
