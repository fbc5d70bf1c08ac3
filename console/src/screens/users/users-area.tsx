import type { Pages } from "../../frame/area-pages.tsx";
import { Screen } from "../../parts/screen.tsx";

/** Everything below /console/users. */
export const usersPages: Pages = { "": UsersScreen };

function UsersScreen() {
  return (
    <Screen title="Users" normal="Who may use this console.">
      {null}
    </Screen>
  );
}
