import { useCopy } from "./clipboard.ts";
import { Go } from "./go.tsx";
import { IconCheck, IconCopy } from "./icons.tsx";
import styles from "./id.module.css";

interface IdProps {
  readonly text: string;
  /** The page of the object. */
  readonly to?: string | undefined;
  /** Length above which it is shortened in the middle; the full text is copied. */
  readonly length?: number;
  /** For a UUID beside the name of its object. */
  readonly isSmall?: boolean;
}

/** An identifier: monospace, with a copy button. It uses plain elements, because a list has hundreds of them. */
export function Id({ text, to, length, isSmall = false }: IdProps) {
  const shown = length !== undefined && text.length > length ? shorten(text, length) : text;
  return (
    <span className={isSmall ? `${styles.id} ${styles.small}` : styles.id}>
      {to === undefined ? (
        <span className={styles.text} title={text}>
          {shown}
        </span>
      ) : (
        <Go to={to} className={`${styles.text} ${styles.link}`} isPlain>
          {shown}
        </Go>
      )}
      <CopyButton text={text} isShown={isSmall} />
    </span>
  );
}

/** @param isShown visible without hovering */
export function CopyButton({ text, isShown }: { readonly text: string; readonly isShown: boolean }) {
  const { isCopied, copy } = useCopy();
  return (
    <button
      type="button"
      className={styles.copy}
      data-shown={isShown}
      title={isCopied ? "Copied" : "Copy"}
      aria-label={`Copy ${text}`}
      onClick={(event) => {
        event.stopPropagation();
        copy(text);
      }}
    >
      {isCopied ? <IconCheck size={14} /> : <IconCopy size={14} />}
    </button>
  );
}

function shorten(text: string, length: number): string {
  const tail = Math.floor((length - 1) / 2);
  return `${text.slice(0, length - 1 - tail)}…${text.slice(-tail)}`;
}
