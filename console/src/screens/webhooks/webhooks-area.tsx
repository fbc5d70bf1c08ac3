import type { ComponentType } from "react";
import type { Pages } from "../../frame/area-pages.tsx";
import { ofAllFacilities } from "../../parts/all-facilities.tsx";
import { DeliveryPage } from "./delivery-page.tsx";
import { NewWebhook } from "./new-webhook.tsx";
import { Undelivered } from "./undelivered.tsx";
import { WebhookPage } from "./webhook-page.tsx";
import { Webhooks } from "./webhooks.tsx";

const closable = (Page: ComponentType) =>
  ofAllFacilities(Page, {
    title: "Webhooks",
    what: "A webhook's settings and what its receiver answered",
    instead: "The lists of webhooks and deliveries show those of your facilities.",
  });

/** Everything below /console/webhooks: subscriptions, their delivery status, and the receivers' responses. */
export const webhooksPages: Pages = {
  "": Webhooks,
  new: closable(NewWebhook),
  undelivered: Undelivered,
  "deliveries/:clientId/:deliveryId": closable(DeliveryPage),
  ":clientId/:webhookId": closable(WebhookPage),
};
