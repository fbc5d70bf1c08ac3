import Type, { type Static } from "typebox";
import { closed, nullable } from "#/http/routes/schema.ts";
import { type SettingWords, settingKinds, settingValues } from "#/kernel/config/setting-words.ts";
import type { RequestFault } from "#/kernel/refusal.ts";
import type { Result } from "#/kernel/result.ts";
import { nearestName } from "#/kernel/values/nearest-name.ts";

/**
 * Settings of clients and facilities as the console shows and changes them: each is a text, as `client set` takes it.
 */
export const setting = Type.Object(
  {
    name: Type.String({ description: "Name of the setting.", examples: ["backorderDays"] }),
    title: Type.String({ description: "The name in words.", examples: ["Back-ordered rest cancelled after"] }),
    group: Type.String({ description: "Topic of the setting.", examples: ["Orders and allocation"] }),
    kind: Type.Enum([...settingKinds], {
      type: "string",
      description: "What the setting takes; `days` are weekdays such as MON-FRI.",
      examples: ["number"],
    }),
    unit: nullable(Type.String({ description: "Unit of a number; null for others.", examples: ["days"] })),
    value: Type.String({ description: "Its value, as a text.", examples: ["30"] }),
    isSet: Type.Boolean({ description: "False: the default applies.", examples: [false] }),
    standard: Type.String({ description: "The default, as a text.", examples: ["30"] }),
    meaning: Type.String({
      description: "Meaning of the setting.",
      examples: ["days after which what is still backordered is cancelled"],
    }),
    choices: nullable(
      Type.Array(Type.String({ description: "A value.", examples: ["WAIT"] }), {
        description: "The possible values; null where there are too many to list.",
      }),
    ),
    choiceWords: nullable(
      Type.Array(Type.String({ description: "A value in words.", examples: ["Wait until all of it is in stock"] }), {
        description: "The values of `choices` in words, in the same order; null for a switch and without choices.",
      }),
    ),
    isPlatform: Type.Boolean({
      description: "An admin who is limited to clients or facilities may not change it.",
      examples: [false],
    }),
  },
  { ...closed, title: "Setting", description: "A setting, its value, and its meaning." },
);

export type SettingRecord = Static<typeof setting>;

interface Stored {
  readonly name: string;
  readonly value: string;
  readonly isSet: boolean;
  readonly isPlatform: boolean;
}

/** A setting with its value, and with its words. */
export function settingRecord(
  stored: Stored,
  { standardText, meaning }: { readonly standardText: string; readonly meaning: string },
  words: SettingWords,
): SettingRecord {
  const { title, group, kind, unit, choices } = words;
  const values = settingValues(words);
  return {
    ...stored,
    title,
    group,
    kind,
    unit: unit ?? null,
    standard: standardText,
    meaning,
    choices: values ? [...values] : null,
    choiceWords: choices ? Object.values(choices) : null,
  };
}

/** More than there are settings. */
const changesMax = 200;

/** Not `Type.Record`: OpenAPI 3.0.3 has no patterns of names. */
const settingChanges = (example: Readonly<Record<string, string | null>>) =>
  Type.Unsafe<Record<string, string | null>>({
    type: "object",
    maxProperties: changesMax,
    additionalProperties: { type: ["string", "null"], maxLength: 10_000 },
    description: "Changes by name: the new value as a text, or null for the default.",
    examples: [example],
  });

export const clientSettingChanges = settingChanges({ backorder: "SHIP_AND_WAIT", rmaDays: null });
export const facilitySettingChanges = settingChanges({ cutOffTime: "17:00", phone: null });

interface ReadableSetting {
  readonly parse: (text: string) => Result<unknown, string>;
}

/**
 * Validates each change by its own parser, so that every fault is reported at its field.
 *
 * @returns the changes as `KEY=VALUE`, as on the command line, with the faults of the invalid ones.
 */
export function validateSettings(
  settings: Readonly<Record<string, ReadableSetting>>,
  changes: Readonly<Record<string, string | null>>,
): { readonly assignments: readonly string[]; readonly faults: readonly RequestFault[] } {
  const names = Object.keys(settings);
  const faults: RequestFault[] = [];
  for (const [name, text] of Object.entries(changes)) {
    const pointer = `#/settings/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    const known = Object.hasOwn(settings, name) ? settings[name] : undefined;
    if (!known) {
      const nearest = nearestName(name, names);
      const hint = nearest === undefined ? "" : `; did you mean ${nearest}?`;
      faults.push({ pointer, message: `is not a setting${hint}` });
      continue;
    }
    const parsed = text === null || text.trim() === "" ? undefined : known.parse(text);
    if (parsed?.ok === false) faults.push({ pointer, message: parsed.fault });
  }
  return { assignments: Object.entries(changes).map(([name, text]) => `${name}=${text ?? ""}`), faults };
}
