import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Problem } from "./problem.tsx";
import { BoxSkeleton } from "./skeletons.tsx";

interface LoadedProps<T> {
  /** What `useData` answers. */
  readonly query: UseQueryResult<T, Error>;
  /** "The forecast": said when it fails. */
  readonly what: string;
  /** Pixels that the content will take. */
  readonly height?: number;
  /** Instead of a grey box of the height. */
  readonly skeleton?: ReactNode;
  children(data: T): ReactNode;
}

/** Data as soon as it is there: before that a skeleton of the same height, and where it fails the problem with a way to try again. */
export function Loaded<T>({ query, what, height = 200, skeleton, children }: LoadedProps<T>) {
  if (query.data !== undefined) return <>{children(query.data)}</>;
  if (query.error) return <Problem error={query.error} what={what} retry={() => void query.refetch()} />;
  return <>{skeleton ?? <BoxSkeleton height={height} />}</>;
}
