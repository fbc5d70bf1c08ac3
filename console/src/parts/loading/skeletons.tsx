import { Skeleton } from "@mantine/core";
import styles from "./skeletons.module.css";

/** Placeholder with the number and height of the expected table rows. */
export function RowsSkeleton({ rows = 12 }: { readonly rows?: number }) {
  return (
    <div aria-hidden="true">
      {Array.from({ length: rows }, (_, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all the same.
        <div key={i} className={styles.row}>
          <Skeleton height={12} width={`${12 + ((i * 5) % 4)}%`} />
          <Skeleton height={12} width={`${18 + ((i * 7) % 9)}%`} />
          <Skeleton height={12} width={`${10 + ((i * 3) % 7)}%`} />
          <Skeleton height={12} width={`${14 + ((i * 11) % 12)}%`} />
        </div>
      ))}
    </div>
  );
}

/** A chart or any box of a known height, in pixels. */
export function BoxSkeleton({ height = 200 }: { readonly height?: number }) {
  return <Skeleton height={height} radius="md" aria-hidden="true" />;
}

/** Placeholder for a whole screen. */
export function PageSkeleton() {
  return (
    <div className={styles.page}>
      <p className={styles.unseen} role="status">
        Loading
      </p>
      <Skeleton height={28} width={180} />
      <Skeleton height={46} radius="md" />
      <RowsSkeleton />
    </div>
  );
}
