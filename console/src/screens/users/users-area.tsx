import { Screen } from "../../parts/screen.tsx";

/** Everything below /console/users; it may hold `Routes` of its own. */
export function UsersArea() {
  return <Screen title="Users">{null}</Screen>;
}
