import { Route, Routes } from "react-router";
import { DeliveryPage } from "./delivery-page.tsx";
import { NewWebhook } from "./new-webhook.tsx";
import { Undelivered } from "./undelivered.tsx";
import { WebhookPage } from "./webhook-page.tsx";
import { Webhooks } from "./webhooks.tsx";

/** Everything below /console/webhooks: who is told what, how that goes, and what a receiver answered. */
export function WebhooksArea() {
  return (
    <Routes>
      <Route index element={<Webhooks />} />
      <Route path="new" element={<NewWebhook />} />
      <Route path="undelivered" element={<Undelivered />} />
      <Route path="deliveries/:clientId/:deliveryId" element={<DeliveryPage />} />
      <Route path=":clientId/:webhookId" element={<WebhookPage />} />
    </Routes>
  );
}
