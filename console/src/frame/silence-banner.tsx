import { useTimezone } from "../directory.ts";
import { Notice } from "../parts/notice.tsx";
import { useSilence } from "../silence.ts";
import styles from "./restore-banner.module.css";

/** Shown on every screen while the server does not respond. The earlier data stays visible and becomes outdated. */
export function SilenceBanner() {
  const since = useSilence();
  const timeZone = useTimezone();
  if (since === undefined) return null;
  const format = new Intl.DateTimeFormat("en-GB", {
    hour: "2-digit",
    minute: "2-digit",
    timeZone,
    timeZoneName: "short",
  });
  return (
    <div className={styles.banner}>
      <Notice tone="failed" title={`No answer since ${format.format(since)}; figures are old`} isAlert>
        The server does not answer. The console retries, and this message disappears when the server answers.
      </Notice>
    </div>
  );
}
