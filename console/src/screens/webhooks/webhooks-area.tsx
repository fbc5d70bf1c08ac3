import type { Pages } from "../../frame/area-pages.tsx";
import { DeliveryPage } from "./delivery-page.tsx";
import { NewWebhook } from "./new-webhook.tsx";
import { Undelivered } from "./undelivered.tsx";
import { WebhookPage } from "./webhook-page.tsx";
import { Webhooks } from "./webhooks.tsx";

/** Everything below /console/webhooks: who is told what, how that goes, and what a receiver answered. */
export const webhooksPages: Pages = {
  "": Webhooks,
  new: NewWebhook,
  undelivered: Undelivered,
  "deliveries/:clientId/:deliveryId": DeliveryPage,
  ":clientId/:webhookId": WebhookPage,
};
