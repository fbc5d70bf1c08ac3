import { Notice } from "../parts/notice.tsx";
import { useSession } from "../session.tsx";
import styles from "./restore-banner.module.css";

/** Shown on every screen of a production deployment without a mail server. */
export function AlertBanner() {
  const { isMailMissing } = useSession();
  if (!isMailMissing) return null;
  return (
    <div className={styles.banner}>
      <Notice tone="waiting" title="Alerts reach no person">
        No mail server is configured. Alert mails are stored and shown in Mails, and reach no person. Set
        CROSSDOCK_SMTP_URL and restart.
      </Notice>
    </div>
  );
}
