import { Empty } from "../../parts/loading/empty.tsx";

/** Shown instead of data for one client and one facility, until both are selected in the top bar. */
export function PlaceFirst({ what }: { readonly what: string }) {
  return <Empty why={`${what} Choose both at the top of the page.`} />;
}
