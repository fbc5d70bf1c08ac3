import { Empty } from "../parts/empty.tsx";
import { Go } from "../parts/go.tsx";
import { Screen } from "../parts/screen.tsx";

/** For addresses that lead nowhere. */
export function UnknownPage() {
  return (
    <Screen title="There is no such page" lead="The address may be an old one, or was cut when it was copied.">
      <Empty why="Nothing is shown at this address." action={<Go to="/overview">To the overview</Go>} />
    </Screen>
  );
}
