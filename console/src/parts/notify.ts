import { notifications } from "@mantine/notifications";
import { sentenceOf } from "./problem.tsx";

/** Says what was done: "Order 4711 was released." */
export function notifyDone(message: string): void {
  notifications.show({ message, color: "green", autoClose: 5_000, closeButtonProps: { "aria-label": "Dismiss" } });
}

/** Says what was refused or failed, and why; stays longer. */
export function notifyFailed(title: string, error: unknown): void {
  notifications.show({
    ...{ title, message: sentenceOf(error), color: "red", autoClose: 15_000 },
    closeButtonProps: { "aria-label": "Dismiss" },
  });
}
