import { api, unwrap } from "../api.ts";
import { useData } from "../data.ts";
import { ActionButton } from "../parts/action-button.tsx";
import { Notice } from "../parts/notice.tsx";
import { useMay } from "../session.tsx";
import styles from "./restore-banner.module.css";

type Part = "DELIVERIES" | "ALLOCATION" | "TASKS";

const words: Readonly<Record<Part, { readonly what: string; readonly effect: string }>> = {
  DELIVERIES: {
    what: "deliveries",
    effect:
      "Webhooks, outbound feeds and mails leave, first of all what was pending when the backup was made. Receivers may get again what they were sent after it.",
  },
  ALLOCATION: {
    what: "allocation",
    effect:
      "Documents that were accepted are worked on, and orders get stock. Check the stock first: what the warehouse did after the backup is not in it until it is reported or counted.",
  },
  TASKS: {
    what: "tasks",
    effect:
      "Warehouses are given their tasks. What they have worked on after the backup they are asked for again, unless its orders were cancelled or held.",
  },
};

const key = ["restore"];

/** Shown on every screen while a part is on hold after a restore of the database. */
export function RestoreBanner() {
  const mayRelease = useMay("admin");
  const { data } = useData(key, (signal) => unwrap(api.GET("/restore/get", { signal })), { live: 30_000 });
  if (!data || data.waiting.length === 0) return null;
  const waiting = data.waiting as readonly Part[];
  const latest = data.holds.find(({ releasedAt }) => releasedAt === null);
  return (
    <div className={styles.banner}>
      <Notice tone="waiting" title={`The database was restored to ${latest?.restoredTo ?? "an earlier moment"}`}>
        Until it is released, this waits: {waiting.map((part) => words[part].what).join(", ")}. Documents are accepted
        and acknowledged all the same.{mayRelease ? null : " An admin can release it."}
        {mayRelease ? (
          <div className={styles.buttons}>
            {waiting.map((part) => (
              <ActionButton
                key={part}
                verb={`Release ${words[part].what}`}
                confirm={{
                  title: `Release ${words[part].what}?`,
                  text: `${words[part].effect} It cannot be taken back.`,
                }}
                role="admin"
                run={() => unwrap(api.POST("/restore/release", { body: { parts: [part] } }))}
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
