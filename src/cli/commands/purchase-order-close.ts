import { type Call, done, type Outcome, refuse } from "#/cli/command.ts";
import { withPlatform } from "#/cli/context.ts";
import { showClient } from "#/modules/clients/service.ts";
import { closePurchaseOrder } from "#/modules/purchasing/receiving/close-orders.ts";
import { purchaseOrderId } from "#/modules/purchasing/receiving/receiving-events.ts";
import { createOutboxWriter } from "#/outbox/append.ts";

export const purchaseOrderClose = (call: Call): Promise<Outcome> =>
  withPlatform(async ({ database, ids, change }) => {
    const clientId = call.given("client");
    const client = await showClient(database.of(clientId));
    if (!client.ok) return refuse(client.fault);
    const key = {
      poNumber: call.argument("PO_NUMBER"),
      vendorOrderId: call.option("vendor-order"),
      reason: call.option("reason"),
    };
    const ended = await change(async (tx, by) => {
      const view = tx.of(clientId, by);
      const result = await closePurchaseOrder(view, key);
      if (!result.ok) return result;
      createOutboxWriter(ids).append(view, by.at, result.value.events);
      return result;
    });
    if (!ended.ok) return ended;
    const { poNumber, vendorOrderId } = ended.value.answer;
    return done({ clientId, poNumber, vendorOrderId: vendorOrderId === "" ? null : vendorOrderId, status: "CLOSED" }, [
      `Purchase order ${purchaseOrderId({ poNumber, vendorOrderId })} of ${clientId} is CLOSED; nothing more is expected.`,
    ]);
  });
