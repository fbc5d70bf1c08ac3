import { Empty } from "../../parts/empty.tsx";

/** Instead of what is about one client in one facility, while the top bar does not name them. */
export function PlaceFirst({ what }: { readonly what: string }) {
  return <Empty why={`${what} Choose both at the top of the page.`} />;
}
