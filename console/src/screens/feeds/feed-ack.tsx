import { request } from "../../api.ts";
import { useData } from "../../data.ts";
import { pathTo } from "../../links.ts";
import { Loaded } from "../../parts/loading/loaded.tsx";
import styles from "./feeds.module.css";

interface FeedAckProps {
  readonly token: string;
  /** Part of the cache key, because the ACK changes with it. */
  readonly state: string;
}

/** The ACK as sent, byte for byte, with line breaks and indentation added. */
export function FeedAck({ token, state }: FeedAckProps) {
  const ack = useData(["feedAck", token, state], async (signal) =>
    (await request(pathTo("feed", "ack", token), { signal })).text(),
  );
  return (
    <Loaded query={ack} what="The ACK">
      {(text) => <AckText text={text} />}
    </Loaded>
  );
}

export function AckText({ text }: { readonly text: string }) {
  return (
    <pre className={styles.ack}>
      <code>{indented(text)}</code>
    </pre>
  );
}

/** Each nested element adds a level. */
function indented(xml: string): string {
  let depth = 0;
  return xml
    .trim()
    .replaceAll(/>\s*</g, ">\n<")
    .split("\n")
    .map((line) => {
      if (line.startsWith("</")) depth--;
      const shown = "  ".repeat(Math.max(0, depth)) + line;
      if (/^<[^/?!][^>]*>$/.test(line) && !line.endsWith("/>")) depth++;
      return shown;
    })
    .join("\n");
}
