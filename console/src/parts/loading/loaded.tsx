import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Problem } from "./problem.tsx";
import { BoxSkeleton } from "./skeletons.tsx";

interface LoadedProps<T> {
  /** Result of `useData`. */
  readonly query: UseQueryResult<T, Error>;
  /** Names the content in an error: "The forecast". */
  readonly what: string;
  /** Height of the content in pixels. */
  readonly height?: number;
  /** Replaces the default grey box. */
  readonly skeleton?: ReactNode;
  children(data: T): ReactNode;
}

/** Shows loaded data; before that, a skeleton of the same height; on failure, the problem with a retry button. */
export function Loaded<T>({ query, what, height = 200, skeleton, children }: LoadedProps<T>) {
  if (query.data !== undefined) return <>{children(query.data)}</>;
  if (query.error) return <Problem error={query.error} what={what} retry={() => void query.refetch()} />;
  return <>{skeleton ?? <BoxSkeleton height={height} />}</>;
}
