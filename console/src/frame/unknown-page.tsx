import { useLocation } from "react-router";
import { Go } from "../parts/go.tsx";
import { Empty } from "../parts/loading/empty.tsx";
import { Screen } from "../parts/page/screen.tsx";

interface UnknownPageProps {
  /** A related page that exists. */
  readonly to?: string;
  readonly label?: string;
}

/** Shown for unknown URLs. */
export function UnknownPage({ to = "/", label = "The first page" }: UnknownPageProps) {
  const { pathname } = useLocation();
  return (
    <Screen title="There is no such page" lead="The address may be out of date or incomplete.">
      <Empty why={`No page has the address ${pathname}.`} action={<Go to={to}>Back to {label.toLowerCase()}</Go>} />
    </Screen>
  );
}
