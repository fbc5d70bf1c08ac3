import { notifications } from "@mantine/notifications";
import type { components } from "#operator";
import { api } from "../../api.ts";
import { notifyFailed } from "../../parts/actions/notify.ts";
import type { Field } from "../../parts/fields.tsx";
import type { BulkAction } from "../../parts/list/data-list.tsx";
import { queries } from "../../queries.ts";
import { holdOptions, type ListedOrder } from "./order-words.ts";
import { printFields, printOrders, printText } from "./print-papers.ts";

type Action = components["schemas"]["BulkRequest"]["action"];
type HoldType = NonNullable<components["schemas"]["BulkRequest"]["holdType"]>;

/** Orders of a request: it takes some seconds, and the progress is shown after each. */
const ordersMax = 50;
/** Maximum number of rejections in a message. The other orders stay in the list, unchanged. */
const namedMax = 5;

const reasonField: Field = {
  name: "reason",
  label: "Reason",
  isRequired: true,
  description: "The client is notified of the reason.",
};

/** Waits for a single request; more of them run in the background, and a message shows how far they are. */
async function runBulk(action: Action, rows: readonly ListedOrder[], reason: string, holdType?: string): Promise<void> {
  if (rows.length <= ordersMax) return changeOrders(action, rows, reason, holdType);
  const id = notifications.show({ ...stays, loading: true, title: progressText(0, rows.length), message: "" });
  const show = (done: number) => notifications.update({ id, title: progressText(done, rows.length), message: "" });
  void changeOrders(action, rows, reason, holdType, show)
    .catch((error: unknown) => notifyFailed("Not all orders were changed", error))
    .finally(() => {
      notifications.hide(id);
      void queries.invalidateQueries();
    });
}

const stays = { autoClose: false, withCloseButton: false } as const;
const progressText = (done: number, of: number) => `${done} of ${of} orders`;

async function changeOrders(
  action: Action,
  rows: readonly ListedOrder[],
  reason: string,
  holdType?: string,
  show: (sent: number) => void = () => {},
): Promise<void> {
  const refusals: string[] = [];
  let done = 0;
  let sent = 0;
  for (const [clientId, rowsOfClient] of Map.groupBy(rows, (row) => row.clientId)) {
    for (let from = 0; from < rowsOfClient.length; from += ordersMax) {
      const orderIds = rowsOfClient.slice(from, from + ordersMax).map(({ orderId }) => orderId);
      const type = holdType === undefined || holdType === "" ? {} : { holdType: holdType as HoldType };
      const body = { action, orderIds, reason, ...type };
      const answer = await api.POST("/order/bulk", { params: { query: { clientId } }, body });
      done += answer.done;
      sent += orderIds.length;
      show(sent);
      for (const { orderId, outcome, detail } of answer.items) {
        if (outcome === "REFUSED") refusals.push(`${clientId} ${orderId}: ${detail ?? "refused"}`);
      }
    }
  }
  tell(done, refusals);
}

/** Reports every rejection with its reason, but only the number of successes. */
function tell(done: number, refusals: readonly string[]): void {
  const more = refusals.length > namedMax ? [`and ${refusals.length - namedMax} more`] : [];
  notifications.show({
    title: `${done} ${done === 1 ? "order" : "orders"} done${refusals.length === 0 ? "" : `, ${refusals.length} refused`}`,
    message: [...refusals.slice(0, namedMax), ...more].join(" · "),
    color: refusals.length === 0 ? "green" : "red",
    autoClose: refusals.length === 0 ? 5_000 : false,
    closeButtonProps: { "aria-label": "Dismiss" },
  });
}

const count = (rows: readonly ListedOrder[]) =>
  rows.length === 1 ? `order ${rows[0]?.orderId}` : `${rows.length} orders`;

/** Actions on the selected orders. */
export const orderBulk: readonly BulkAction<ListedOrder>[] = [
  {
    verb: "Print",
    confirm: (rows) => ({ title: `Print the papers of ${count(rows)}`, text: printText }),
    fields: printFields,
    run: printOrders,
  },
  {
    verb: "Hold",
    confirm: (rows) => ({
      title: `Hold ${count(rows)}`,
      text: "The orders keep their allocated stock and are not despatched until they are released.",
    }),
    fields: [
      { name: "type", label: "Kind of hold", kind: "select", options: holdOptions, initial: "OTHER", isRequired: true },
      reasonField,
    ],
    run: (rows, { reason = "", type }) => runBulk("hold", rows, reason, type),
  },
  {
    verb: "Release",
    confirm: (rows) => ({
      title: `Release ${count(rows)}`,
      text: "Releases the holds, regardless of who set them. Allocation runs again.",
    }),
    fields: [
      {
        name: "type",
        label: "Only this kind of hold",
        kind: "select",
        options: holdOptions,
        placeholder: "All holds",
      },
      { ...reasonField, description: "Internal: the client is notified of the release without a reason." },
    ],
    run: (rows, { reason = "", type }) => runBulk("release", rows, reason, type),
  },
  {
    verb: "Cancel",
    confirm: (rows) => ({
      title: `Cancel ${count(rows)}`,
      text: "Units that the warehouse has not started are cancelled at once and their stock is freed. The warehouse is asked to stop the others. Despatched units can only be returned.",
    }),
    fields: [reasonField],
    run: (rows, { reason = "" }) => runBulk("cancel", rows, reason),
    isDestructive: true,
  },
];
