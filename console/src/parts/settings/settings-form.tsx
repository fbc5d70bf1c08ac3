import { Button, Chip, Group, NumberInput, Select, Switch, Textarea, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useId, useState } from "react";
import type { components } from "#operator";
import { useHasNoLimits, useMay } from "../../session.tsx";
import { notifyFailed } from "../actions/notify.ts";
import { notifyUndoable } from "../actions/undo.tsx";
import { Form } from "../form.tsx";
import { Empty } from "../loading/empty.tsx";
import { sentenceOf } from "../loading/problem.tsx";
import { Section } from "../page/screen.tsx";
import styles from "./settings-form.module.css";
import { dayCodes, daysOf, daysText, dayWord } from "./weekdays.ts";

export type Setting = components["schemas"]["Setting"];

/** A list that is longer has a field that filters it. */
const shortList = 8;

interface SettingsFormProps {
  readonly settings: readonly Setting[];
  /** Saves one setting; null resets it to its default. A thrown error is shown. */
  change(name: string, value: string | null): Promise<unknown>;
}

/** Settings by topic, each changed where it is shown. A change takes effect at once, and can be taken back. */
export function SettingsForm({ settings, change }: SettingsFormProps) {
  const mayChange = useMay("admin");
  const [wanted, setWanted] = useState("");
  const found = settings.filter((setting) => isFound(setting, wanted));
  return (
    <div className={styles.form}>
      <div className={styles.bar}>
        {settings.length > shortList ? (
          <TextInput
            type="search"
            aria-label="Find a setting"
            placeholder="Find a setting"
            value={wanted}
            onChange={(event) => setWanted(event.currentTarget.value)}
          />
        ) : null}
        {mayChange ? <p className={styles.dim}>A change takes effect at once in every running server.</p> : null}
      </div>
      {found.length === 0 ? <Empty why={`No setting contains “${wanted}”.`} /> : null}
      {[...Map.groupBy(found, ({ group }) => group)].map(([group, members]) => (
        <Section key={group} title={group}>
          <ul className={styles.list} aria-label={group}>
            {members.map((setting) => (
              <Row key={setting.name} setting={setting} change={change} />
            ))}
          </ul>
        </Section>
      ))}
    </div>
  );
}

/** Each word is in its title, code, topic, meaning or values. */
function isFound({ name, title, group, meaning, choices, choiceWords }: Setting, wanted: string): boolean {
  const text = [name, title, group, meaning, ...(choices ?? []), ...(choiceWords ?? [])].join(" ").toLowerCase();
  return wanted
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** A value in words: "On", "30 days", "Monday to Friday". */
function wordsOf({ kind, unit, choices, choiceWords }: Setting, value: string): string {
  if (kind === "switch") return value === "true" ? "On" : "Off";
  if (kind === "choice") return choiceWords?.[choices?.indexOf(value) ?? -1] ?? value;
  if (kind === "number") return `${value} ${value === "1" ? unit?.replace(/s$/, "") : unit}`;
  return kind === "days" ? daysText(value) : value;
}

const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1).replaceAll("`", "")}.`;

function Row({ setting, change }: { readonly setting: Setting } & Pick<SettingsFormProps, "change">) {
  const { name, title, value, isSet, standard, meaning, isPlatform } = setting;
  const mayChange = useMay("admin");
  const hasNoLimits = useHasNoLimits();
  const isOpen = mayChange && (hasNoLimits || !isPlatform);
  const id = useId();
  const queries = useQueryClient();
  const before = isSet ? value : null;
  const saving = useMutation({
    mutationFn: (next: string | null) => change(name, next),
    onSuccess: async (_answer, next) => {
      notifyUndoable(`${title}: ${wordsOf(setting, next ?? standard)}`, () => change(name, before));
      await queries.invalidateQueries();
    },
  });
  const save = (next: string | null) =>
    saving.mutate(next, {
      onError: (error) => (isTyped(setting) ? undefined : notifyFailed(`${title}: refused`, error)),
    });
  return (
    <li className={styles.row} data-setting={name}>
      <div>
        <p className={styles.head}>
          <span className={styles.title}>{title}</span>
          <code className={styles.code}>{name}</code>
        </p>
        <p className={styles.dim} id={id}>
          {sentence(meaning)}
        </p>
      </div>
      <div>
        {isOpen ? (
          <Control
            // After a change by another user, the input begins with the new value.
            key={`${isSet} ${value}`}
            setting={setting}
            describedBy={id}
            pending={saving.isPending ? (saving.variables ?? standard) : undefined}
            error={isTyped(setting) && saving.error !== null ? sentenceOf(saving.error) : undefined}
            save={save}
          />
        ) : (
          <p className={styles.value}>{wordsOf(setting, value)}</p>
        )}
        <p className={styles.standard}>
          {isSet ? `Default: ${wordsOf(setting, standard)}` : "Default"}
          {isSet && isOpen ? (
            <Button
              size="compact-xs"
              variant="subtle"
              aria-label={`Reset ${title}`}
              disabled={saving.isPending}
              onClick={() => save(null)}
            >
              Reset
            </Button>
          ) : null}
        </p>
        {mayChange && !isOpen ? <p className={styles.standard}>Changed by an admin without limits.</p> : null}
      </div>
    </li>
  );
}

/** Its value is typed, and saved by a button; others are saved when they are chosen. */
const isTyped = ({ kind }: Setting): boolean => kind !== "switch" && kind !== "choice" && kind !== "days";

interface ControlProps {
  readonly setting: Setting;
  /** Id of its meaning. */
  readonly describedBy: string;
  /** The value that is being saved. */
  readonly pending: string | undefined;
  readonly error: string | undefined;
  /** @param value null: the default */
  save(value: string | null): void;
}

function Control({ setting, describedBy, pending, error, save }: ControlProps) {
  const { kind, title, value, choices, choiceWords } = setting;
  const labels = { "aria-label": title, "aria-describedby": describedBy };
  const shown = pending ?? value;
  switch (kind) {
    case "switch":
      return (
        <Switch
          {...labels}
          checked={shown === "true"}
          disabled={pending !== undefined}
          label={wordsOf(setting, shown)}
          onChange={(event) => save(String(event.currentTarget.checked))}
        />
      );
    case "choice":
      return (
        <Select
          {...labels}
          data={(choices ?? []).map((choice, i) => ({ value: choice, label: choiceWords?.[i] ?? choice }))}
          value={shown}
          disabled={pending !== undefined}
          onChange={(next) => next !== null && next !== value && save(next)}
          allowDeselect={false}
        />
      );
    case "days":
      return <Days setting={setting} shown={shown} describedBy={describedBy} save={save} />;
    default:
      return <Typed setting={setting} labels={labels} isBusy={pending !== undefined} error={error} save={save} />;
  }
}

function Days({
  setting,
  shown,
  describedBy,
  save,
}: Omit<ControlProps, "pending" | "error"> & { readonly shown: string }) {
  const chosen = daysOf(shown);
  return (
    <Group gap={4} role="group" aria-label={setting.title} aria-describedby={describedBy}>
      {dayCodes.map((code) => (
        <Chip
          key={code}
          size="xs"
          aria-label={dayWord(code)}
          checked={chosen.includes(code)}
          // A week has at least one day of work.
          disabled={chosen.length === 1 && chosen.includes(code)}
          onChange={(isChosen) =>
            save(dayCodes.filter((day) => (day === code ? isChosen : chosen.includes(day))).join())
          }
        >
          {dayWord(code).slice(0, 2)}
        </Chip>
      ))}
    </Group>
  );
}

interface TypedProps {
  readonly setting: Setting;
  readonly labels: { readonly "aria-label": string; readonly "aria-describedby": string };
  readonly isBusy: boolean;
  readonly error: string | undefined;
  save(value: string | null): void;
}

function Typed({ setting, labels, isBusy, error, save }: TypedProps) {
  const { kind, value, isSet, standard, unit } = setting;
  const begun = isSet || kind === "number" ? value : "";
  const [text, setText] = useState(begun);
  const common = { ...labels, value: text, error, placeholder: standard };
  return (
    <Form submit={() => text !== begun && save(text.trim() === "" ? null : text.trim())}>
      {inputOf(kind, unit, common, setText)}
      {text === begun ? null : (
        <Group gap="xs" mt={8}>
          <Button type="submit" size="compact-sm" loading={isBusy}>
            Save
          </Button>
          <Button size="compact-sm" variant="default" disabled={isBusy} onClick={() => setText(begun)}>
            Cancel
          </Button>
        </Group>
      )}
    </Form>
  );
}

interface Common {
  readonly value: string;
  readonly error: string | undefined;
  readonly placeholder: string;
}

function inputOf(kind: Setting["kind"], unit: string | null, common: Common, set: (text: string) => void): ReactNode {
  if (kind === "number")
    return <NumberInput {...common} suffix={` ${unit}`} min={0} onChange={(next) => set(String(next))} />;
  if (kind === "lines")
    return <Textarea {...common} autosize minRows={2} maxRows={12} onChange={(e) => set(e.currentTarget.value)} />;
  return (
    <TextInput {...common} type={kind === "time" ? "time" : "text"} onChange={(e) => set(e.currentTarget.value)} />
  );
}
