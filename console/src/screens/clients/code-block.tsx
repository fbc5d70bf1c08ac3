import styles from "./clients.module.css";

interface CodeBlockProps {
  /** Name for screen readers. */
  readonly label: string;
  readonly text: string;
}

/** Preformatted text in a scrollable box that is reachable by keyboard. */
export function CodeBlock({ label, text }: CodeBlockProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard.
    <section className={styles.code} tabIndex={0} aria-label={label}>
      <pre className={styles.block}>{text}</pre>
    </section>
  );
}
