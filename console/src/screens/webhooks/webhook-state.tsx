import { counted } from "../../parts/counted.ts";
import { duration } from "../../parts/time.tsx";
import { useWebhookHealth } from "../overview/overview-data.ts";

/** One line: the number of failing webhooks, and the backlog. */
export function WebhookState() {
  const health = useWebhookHealth().data;
  // Keeps the height of the line while the numbers load.
  if (health === undefined) return "\u00a0";
  const { active, failing, paused, disabled } = health;
  const states = [`${active} active`, `${failing} failing`, `${paused} paused`, `${disabled} disabled`];
  return (
    <>
      Webhooks: {states.join(", ")}. <DeliveryState />
    </>
  );
}

/** One line: the number of waiting deliveries, and of those given up. */
export function DeliveryState() {
  const health = useWebhookHealth().data;
  if (health === undefined) return "\u00a0";
  const { waiting, oldestWaitingSeconds, givenUpLastDay } = health;
  const oldest = oldestWaitingSeconds === null ? "" : `, the oldest for ${duration(oldestWaitingSeconds * 1000)}`;
  return `${counted(waiting, "delivery waits", "deliveries wait")}${oldest}; ${givenUpLastDay.toLocaleString("en-GB")} given up in the last 24 hours.`;
}
