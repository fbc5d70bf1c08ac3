import { PageSkeleton } from "../parts/loading/skeletons.tsx";
import styles from "./frame.module.css";
import barStyles from "./top-bar.module.css";

/** The outline of `index.html`, until the session is known: nothing moves between the first paint and the frame. */
export function FrameSkeleton() {
  return (
    <div className={styles.outline}>
      <div className={styles.side} />
      <div className={barStyles.bar} />
      <div className={styles.main}>
        <div className={styles.content}>
          <PageSkeleton />
        </div>
      </div>
    </div>
  );
}
