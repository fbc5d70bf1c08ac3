import styles from "./choice.module.css";

interface ChoiceProps<Key extends string> {
  /** Name of the choice, for screen readers. */
  readonly label: string;
  /** Words of the buttons, by key. */
  readonly options: Readonly<Record<Key, string>>;
  readonly value: Key;
  choose(key: Key): void;
}

/** Buttons beside each other, of which one is pressed. */
export function Choice<Key extends string>({ label, options, value, choose }: ChoiceProps<Key>) {
  return (
    <fieldset className={styles.choice} aria-label={label}>
      {(Object.keys(options) as Key[]).map((key) => (
        <button key={key} type="button" aria-pressed={key === value} onClick={() => choose(key)}>
          {options[key]}
        </button>
      ))}
    </fieldset>
  );
}
