import { Button, Group, Stack, Title } from "@mantine/core";
import { useSearchParams } from "react-router";
import { ActionButton } from "../../parts/actions/action-button.tsx";
import { Empty } from "../../parts/loading/empty.tsx";
import { useSetParams } from "../../scope.ts";
import { useMay } from "../../session.tsx";
import { dateFormat } from "../../time-display.ts";
import styles from "./facilities.module.css";
import { type Holiday, weeksOf, withHolidays } from "./holidays.ts";

const weekdays = ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"];
const monthFormat = new Intl.DateTimeFormat("en-GB", { month: "long", timeZone: "UTC" });

interface HolidayCalendarProps {
  readonly holidays: readonly Holiday[];
  /** Today in the time zone of the facility, `2026-12-25`. */
  readonly today: string;
  change(holidays: readonly Holiday[]): Promise<unknown>;
}

/** The holidays of a year: a calendar, and a list in which they are added and removed. */
export function HolidayCalendar({ holidays, today, change }: HolidayCalendarProps) {
  const [params] = useSearchParams();
  const setParams = useSetParams();
  const mayChange = useMay("admin");
  const thisYear = Number(today.slice(0, 4));
  const year = /^2\d{3}$/.test(params.get("year") ?? "") ? Number(params.get("year")) : thisYear;
  const show = (next: number) => setParams({ year: next === thisYear ? null : String(next) });
  const names = new Map(holidays.map(({ day, name }) => [day, name]));
  const ofYear = holidays.filter(({ day }) => day.startsWith(`${year}-`));
  const format = dateFormat("UTC", "day");
  return (
    <Stack gap="md">
      <Group gap="xs">
        <Button size="xs" variant="default" aria-label="The year before" onClick={() => show(year - 1)}>
          ←
        </Button>
        <Title order={2} size="h4">
          {year}
        </Title>
        <Button size="xs" variant="default" aria-label="The year after" onClick={() => show(year + 1)}>
          →
        </Button>
        <ActionButton
          verb="Add holidays"
          role="admin"
          size="xs"
          title="Add holidays"
          text="No order is due on these days: the despatch time moves to the next operating day."
          fields={[
            { name: "first", label: "Day, or the first of several", kind: "date", isRequired: true },
            { name: "last", label: "Last day", kind: "date", description: "Empty: only that day." },
            { name: "name", label: "Name", placeholder: "Christmas Day" },
          ]}
          run={async ({ first = "", last = "", name = "" }) =>
            change(withHolidays(holidays, { first, last: last === "" ? first : last, name }))
          }
          done="The holidays were added."
        />
      </Group>
      <div className={styles.months}>
        {Array.from({ length: 12 }, (_, i) => `${year}-${String(i + 1).padStart(2, "0")}`).map((month) => (
          <Month key={month} month={month} names={names} today={today} />
        ))}
      </div>
      {ofYear.length === 0 ? (
        <Empty why={`No holidays in ${year}.`} />
      ) : (
        <ul className={styles.holidays} aria-label={`Holidays of ${year}`}>
          {ofYear.map(({ day, name }) => (
            <li key={day}>
              <span>
                {format.format(new Date(`${day}T00:00:00Z`))} {name}
              </span>
              {mayChange ? (
                <ActionButton
                  verb="Remove"
                  label={`Remove ${day}`}
                  role="admin"
                  size="xs"
                  run={async () => change(holidays.filter((holiday) => holiday.day !== day))}
                  done="The holiday was removed."
                />
              ) : null}
            </li>
          ))}
        </ul>
      )}
    </Stack>
  );
}

interface MonthProps {
  readonly month: string;
  readonly names: ReadonlyMap<string, string>;
  readonly today: string;
}

function Month({ month, names, today }: MonthProps) {
  return (
    <table className={styles.month}>
      <caption>{monthFormat.format(new Date(`${month}-01T00:00:00Z`))}</caption>
      <thead>
        <tr>
          {weekdays.map((day) => (
            <th key={day} scope="col">
              {day}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeksOf(month).map((week) => (
          <tr key={week.join()}>
            {week.map((day, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the seven days of a week
              <td key={i} {...marksOf(day, names, today)}>
                {day === null ? "" : Number(day.slice(8))}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function marksOf(day: string | null, names: ReadonlyMap<string, string>, today: string) {
  if (day === null) return {};
  const name = names.get(day);
  return {
    ...(name === undefined ? {} : { "data-holiday": true, title: name === "" ? "Holiday" : name }),
    ...(day === today ? { "data-today": true } : {}),
  };
}
