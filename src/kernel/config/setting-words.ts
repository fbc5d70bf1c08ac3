/** The input of a setting in the console. `lines` is a long text, `days` are weekdays such as `MON-FRI`. */
export const settingKinds = ["switch", "choice", "number", "time", "days", "text", "lines"] as const;

/** A setting in words, for people: the console shows it so, and the references beside its code. */
export interface SettingWords {
  /** Heading under which the settings of one topic are. */
  readonly group: string;
  /** Without a colon or a full stop. */
  readonly title: string;
  readonly kind: (typeof settingKinds)[number];
  /** Of a number: "days", "%". */
  readonly unit?: string;
  /** Of a choice: each value in words, the default first. */
  readonly choices?: Readonly<Record<string, string>>;
}

/** The meaning of a setting with its values, for a reference: "…. REJECT: refuse the order; WARN: …". */
export function settingReference(meaning: string, { choices }: SettingWords): string {
  if (choices === undefined) return meaning;
  const values = Object.entries(choices).map(([code, words]) =>
    words.startsWith(code) ? words : `${code}: ${words.replace(/^./, (c) => c.toLowerCase())}`,
  );
  return `${meaning}. ${values.join("; ")}`;
}

const onOff = ["false", "true"];

/** The values of a setting that has only some; undefined where there are too many to list. */
export function settingValues({ kind, choices }: SettingWords): readonly string[] | undefined {
  return kind === "switch" ? onOff : choices && Object.keys(choices);
}
