import type { Pages } from "../../frame/area-pages.tsx";
import { byAdmins } from "../users/users-area.tsx";
import { Notifications } from "./notifications.tsx";

/** Everything below /console/notifications: who is notified of what is wrong. */
export const notificationsPages: Pages = {
  "": byAdmins(Notifications, { title: "Notifications", why: "Notifications are managed by admins without limits." }),
};
