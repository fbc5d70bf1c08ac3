import { notifications } from "@mantine/notifications";
import { sentenceOf } from "../loading/problem.tsx";

/** Reports success: "Order 4711 was released." */
export function notifyDone(message: string): void {
  notifications.show({ message, color: "green", autoClose: 5_000, closeButtonProps: { "aria-label": "Dismiss" } });
}

/** Reports an answer after which something still wants a person: "Still rejected." */
export function notifyWaiting(message: string): void {
  notifications.show({ message, color: "yellow", autoClose: 10_000, closeButtonProps: { "aria-label": "Dismiss" } });
}

/** Reports a rejection or failure with its reason; stays visible longer. */
export function notifyFailed(title: string, error: unknown): void {
  notifications.show({
    title,
    message: sentenceOf(error),
    color: "red",
    autoClose: 15_000,
    closeButtonProps: { "aria-label": "Dismiss" },
  });
}
