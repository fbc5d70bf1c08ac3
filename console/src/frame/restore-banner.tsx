import { api } from "../api.ts";
import { useData } from "../data.ts";
import { ActionButton } from "../parts/actions/action-button.tsx";
import { Notice } from "../parts/notice.tsx";
import { useMay } from "../session.tsx";
import styles from "./restore-banner.module.css";

type Part = "DELIVERIES" | "ALLOCATION" | "TASKS";

const words: Readonly<Record<Part, { readonly what: string; readonly effect: string }>> = {
  DELIVERIES: {
    what: "deliveries",
    effect:
      "Webhooks, outbound feeds and mails are sent, starting with those that were pending at the backup. Receivers may get messages from after the backup twice.",
  },
  ALLOCATION: {
    what: "allocation",
    effect:
      "Accepted documents are processed and orders are allocated. Check the stock first: warehouse work after the backup is missing from it until it is reported or counted.",
  },
  TASKS: {
    what: "tasks",
    effect:
      "Warehouses receive their tasks, including those that they completed after the backup, unless the orders are cancelled or held.",
  },
};

const key = ["restore"];

/** Shown on every screen while a part is on hold after a restore of the database. */
export function RestoreBanner() {
  const mayRelease = useMay("admin");
  const { data } = useData(key, (signal) => api.GET("/restore/get", { signal }), { live: 30_000 });
  if (!data || data.waiting.length === 0) return null;
  const waiting = data.waiting as readonly Part[];
  const latest = data.holds.find(({ releasedAt }) => releasedAt === null);
  return (
    <div className={styles.banner}>
      <Notice tone="waiting" title={`The database was restored to ${latest?.restoredTo ?? "an earlier moment"}`}>
        Waiting for release: {waiting.map((part) => words[part].what).join(", ")}. Documents are still accepted and
        acknowledged.{mayRelease ? null : " An admin can release it."}
        {mayRelease ? (
          <div className={styles.buttons}>
            {waiting.map((part) => (
              <ActionButton
                key={part}
                verb={`Release ${words[part].what}`}
                title={`Release ${words[part].what}?`}
                text={`${words[part].effect} This cannot be undone.`}
                role="admin"
                run={() => api.POST("/restore/release", { body: { parts: [part] } })}
                done={`Released: ${words[part].what}.`}
                size="xs"
              />
            ))}
          </div>
        ) : null}
      </Notice>
    </div>
  );
}
