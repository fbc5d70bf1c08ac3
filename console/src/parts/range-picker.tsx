import { Button, Popover, TextInput } from "@mantine/core";
import { useId, useState } from "react";
import { useTimezone } from "../directory.ts";
import { endsOf, keyOfEnds, localText, momentAt, type PresetKey, rangeOf, type TimeRange } from "../time-range.ts";
import { Form } from "./form.tsx";
import { IconCalendar } from "./icons.tsx";
import styles from "./range-picker.module.css";

interface RangeChoicesProps {
  readonly range: TimeRange;
  readonly presets: readonly PresetKey[];
  /** Ends may have a time of day; otherwise they are whole days. */
  readonly hasTimes?: boolean;
  /** Both ends are required. */
  readonly isBounded?: boolean;
  /** @param key as in the URL */
  choose(key: string): void;
}

interface RangePickerProps extends RangeChoicesProps {
  /** The filtered time: "Received". */
  readonly label: string;
}

/** A button that shows the time range and opens the picker. */
export function RangePicker({ label, choose, ...choices }: RangePickerProps) {
  const [isOpen, setOpen] = useState(false);
  const timezone = useTimezone();
  const take = (key: string) => {
    setOpen(false);
    choose(key);
  };
  return (
    <Popover opened={isOpen} onChange={setOpen} trapFocus returnFocus position="bottom-end" width={300}>
      <Popover.Target>
        <Button
          variant="default"
          size="xs"
          fw={400}
          className={styles.target ?? ""}
          rightSection={<IconCalendar size={14} aria-hidden="true" />}
          onClick={() => setOpen(!isOpen)}
        >
          {label}: {choices.range.label(timezone)}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={label}>
        <RangeChoices {...choices} choose={take} />
      </Popover.Dropdown>
    </Popover>
  );
}

/** Presets, and a form for two ends: the content of the picker, and of a list filter. */
export function RangeChoices({ range, presets, hasTimes = false, isBounded = false, choose }: RangeChoicesProps) {
  const timezone = useTimezone();
  const rangeEnds = endsOf(range.key);
  const [from, setFrom] = useState(() => inputOf(rangeEnds?.from ?? "", timezone));
  const [to, setTo] = useState(() => inputOf(rangeEnds?.to ?? "", timezone));
  const [fault, setFault] = useState<string | undefined>();
  const faultId = useId();
  const apply = () => {
    const key = keyOfEnds(endOf(from, timezone), endOf(to, timezone));
    const found = faultOf({ from, to, isBounded, range: rangeOf(key, "any"), timezone });
    setFault(found);
    if (found === undefined) choose(key);
  };
  const ends = { hasTimes, isRequired: isBounded, ...(fault === undefined ? {} : { faultId }) };
  return (
    <>
      <fieldset className={styles.presets}>
        <legend className={styles.unseen}>Presets</legend>
        {presets.map((key) => {
          const isChosen = key === range.key;
          return (
            <button
              key={key}
              type="button"
              aria-pressed={isChosen}
              {...(isChosen ? { "data-autofocus": true } : {})}
              onClick={() => choose(key)}
            >
              {rangeOf(key, key).label(timezone)}
            </button>
          );
        })}
      </fieldset>
      <Form className={styles.form} submit={apply}>
        <EndInput name="From" value={from} change={setFrom} {...ends} />
        <EndInput name="To" value={to} change={setTo} {...ends} />
        <p className={styles.hint}>
          Days of {timezone}
          {hasTimes ? "; without a time the whole day." : ", inclusive."}
        </p>
        {fault === undefined ? null : (
          <p role="alert" id={faultId} className={styles.fault}>
            {fault}
          </p>
        )}
        <Button type="submit" size="xs">
          Apply
        </Button>
      </Form>
    </>
  );
}

/** One end in its inputs. */
interface End {
  /** `2026-11-20`, or empty. */
  readonly day: string;
  /** `14:00`, or empty. */
  readonly time: string;
}

interface EndInputProps {
  readonly name: string;
  readonly value: End;
  readonly hasTimes: boolean;
  readonly isRequired: boolean;
  /** Id of the element with the error message. */
  readonly faultId?: string;
  change(value: End): void;
}

function EndInput({ name, value, hasTimes, isRequired, faultId, change }: EndInputProps) {
  const wrong = faultId === undefined ? {} : { "aria-invalid": true, "aria-describedby": faultId };
  return (
    <div className={styles.end}>
      <TextInput
        type="date"
        size="xs"
        label={name}
        // Limits the year to four digits; otherwise the input accepts six.
        min="2000-01-01"
        max="9999-12-31"
        required={isRequired}
        withAsterisk={false}
        value={value.day}
        onChange={(event) => change({ ...value, day: event.currentTarget.value })}
        {...wrong}
      />
      {hasTimes ? (
        <TextInput
          type="time"
          size="xs"
          label="Time"
          aria-label={`${name}, time`}
          value={value.time}
          onChange={(event) => change({ ...value, time: event.currentTarget.value })}
          {...wrong}
        />
      ) : null}
    </div>
  );
}

/** The inputs for an end from the URL: a day, a time or nothing. */
function inputOf(end: string, timezone: string): End {
  if (end.length <= 10) return { day: end, time: "" };
  const [day = "", time = ""] = localText(Date.parse(end), timezone).split("T");
  return { day, time: time.slice(0, 5) };
}

const endOf = ({ day, time }: End, timezone: string): string =>
  day === "" || time === "" ? day : new Date(momentAt(`${day}T${time}`, timezone)).toISOString();

interface Entered {
  readonly from: End;
  readonly to: End;
  readonly isBounded: boolean;
  readonly range: TimeRange;
  readonly timezone: string;
}

function faultOf({ from, to, isBounded, range, timezone }: Entered): string | undefined {
  if ([from, to].some(({ day, time }) => day === "" && time !== "")) return "Enter the day of the time as well.";
  if (from.day === "" && to.day === "") return "Enter a first or a last day.";
  if (isBounded && (from.day === "" || to.day === "")) return "Enter the first and the last day.";
  const { from: start, to: end } = range.window(timezone);
  return start !== undefined && end !== undefined && start >= end ? "The end is before the start." : undefined;
}
