import type { ComponentType } from "react";
import type { Pages } from "../../frame/area-pages.tsx";
import { Empty } from "../../parts/loading/empty.tsx";
import { Screen } from "../../parts/page/screen.tsx";
import { useHasNoLimits, useMay } from "../../session.tsx";
import { UserList } from "./user-list.tsx";
import { UserPage } from "./user-page.tsx";

interface Closed {
  readonly title: string;
  readonly why: string;
}

const closed: Closed = {
  title: "Users",
  why: "Users are managed by admins without limits. Your own password: Change password, in the menu with your name at the top.",
};

/** The page, for admins without limits; other users see whom to contact. */
export function byAdmins(Page: ComponentType, { title, why }: Closed = closed): ComponentType {
  return function ByAdmins() {
    const isAdmin = useMay("admin");
    const hasNoLimits = useHasNoLimits();
    if (isAdmin && hasNoLimits) return <Page />;
    return (
      <Screen title={title}>
        <Empty why={why} />
      </Screen>
    );
  };
}

/** Everything below /console/users: the users of this console, their rights, and their sessions. */
export const usersPages: Pages = {
  "": byAdmins(UserList),
  ":userName": byAdmins(UserPage),
};
