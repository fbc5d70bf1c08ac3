import styles from "./clients.module.css";

interface CodeBlockProps {
  /** What it is, for those who hear it. */
  readonly label: string;
  readonly text: string;
}

/** Text as it is, in a box that scrolls and can be reached by the keyboard. */
export function CodeBlock({ label, text }: CodeBlockProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard.
    <section className={styles.code} tabIndex={0} aria-label={label}>
      <pre className={styles.block}>{text}</pre>
    </section>
  );
}
