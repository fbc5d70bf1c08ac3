import { minuteMs } from "../../durations.ts";
import { Progress } from "../../parts/actions/progress.tsx";
import { Go } from "../../parts/go.tsx";
import { Loaded } from "../../parts/loading/loaded.tsx";
import { Section } from "../../parts/page/screen.tsx";
import { ToneBadge } from "../../parts/state-badge.tsx";
import { duration, useNow } from "../../parts/time.tsx";
import type { Tone } from "../../parts/tones.ts";
import styles from "./overview.module.css";
import { type FacilityCutOff, useCutOffs } from "./overview-data.ts";
import { linksOf } from "./overview-links.ts";

/** From this time on, the clock is shown as a countdown. */
const soonMs = 60 * minuteMs;

/** Orders due by the next cut-off of each facility, and how many of them have left. */
export function CutOffs() {
  const board = useCutOffs();
  return (
    <Section title="Cut-offs" note="Orders due by the next cut-off of each facility, with those that are overdue.">
      <Loaded query={board} what="The cut-offs" height={290}>
        {({ items }) =>
          items.length === 0 ? (
            <p className={styles.quiet}>
              No facility has a cut-off, so no order has a due time. <Go to="/facilities">Set one</Go>
            </p>
          ) : (
            <div className={styles.boards}>
              {items.map((facility) => (
                <Board key={facility.distributionCentre} facility={facility} />
              ))}
            </div>
          )
        }
      </Loaded>
    </Section>
  );
}

function Board({ facility }: { readonly facility: FacilityCutOff }) {
  const { distributionCentre: code, carriers, waiting, packed, done } = facility;
  const zone = zoneOf(facility);
  return (
    <div>
      <div className={styles.boardHead}>
        <h3 className={styles.boardTitle}>
          <Go to={linksOf.facility(code)}>{code}</Go>
        </h3>
        <span className={styles.dim}>
          {weekdayOf(facility)} {facility.cutOffTime} {zone}
        </span>
        <TimeLeft at={facility.cutOffAt} />
        <span className={styles.gone}>
          <Progress done={done} of={waiting + packed + done} /> gone
        </span>
      </div>
      <section
        className={styles.scroll}
        aria-label={`Carriers of ${code}`}
        /* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */ tabIndex={0}
      >
        <table className={styles.board}>
          <caption className={styles.unseen}>Orders of {code} against its cut-off, by carrier</caption>
          <thead>
            <tr>
              <th scope="col" className={styles.head}>
                Carrier
              </th>
              <th scope="col" className={styles.head}>
                Waiting
              </th>
              <th scope="col" className={styles.head}>
                Packed
              </th>
              <th scope="col" className={styles.head}>
                Gone
              </th>
              <th scope="col" className={styles.head}>
                At risk
              </th>
              <th scope="col" className={styles.head}>
                Late
              </th>
            </tr>
          </thead>
          <tbody>
            {carriers.map((carrier) => (
              <tr key={carrier.carrierCode ?? ""}>
                <th scope="row">
                  {carrier.carrierCode ?? <span className={styles.dim}>no carrier yet</span>}
                  {carrier.collectsUntil === null ? null : (
                    <span className={styles.collects}>
                      collects until {carrier.collectsUntil} {zone}
                    </span>
                  )}
                </th>
                <Cells facility={facility} counts={carrier} carrier={carrier.carrierCode} />
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">All</th>
              <Cells facility={facility} counts={facility} carrier={undefined} />
            </tr>
          </tfoot>
        </table>
      </section>
    </div>
  );
}

const parts = ["waiting", "packed", "done", "atRisk", "late"] as const;
const tones: Partial<Record<(typeof parts)[number], Tone>> = { atRisk: "waiting", late: "failed" };

interface CellsProps {
  readonly facility: FacilityCutOff;
  readonly counts: Readonly<Record<(typeof parts)[number], number>>;
  /** null: unknown carrier; undefined: all carriers. */
  readonly carrier: string | null | undefined;
}

/** The figures of a row, each with a link to its orders. */
function Cells({ facility, counts, carrier }: CellsProps) {
  return parts.map((part) => (
    <td key={part} data-tone={counts[part] > 0 ? tones[part] : undefined}>
      {linked(counts[part], linksOf.cutOff(facility, part, carrier))}
    </td>
  ));
}

const count = (value: number) => (value === 0 ? <span className={styles.dim}>0</span> : value.toLocaleString("en-GB"));
const linked = (value: number, to: string) => (value === 0 ? count(0) : <Go to={to}>{count(value)}</Go>);

/** "today", or the local day of the week. */
function weekdayOf({ cutOffAt, timezone }: FacilityCutOff): string {
  const dayOf = (date: Date) => date.toLocaleDateString("en-CA", { timeZone: timezone });
  const at = new Date(cutOffAt);
  if (dayOf(at) === dayOf(new Date())) return "today";
  return at.toLocaleDateString("en-GB", { timeZone: timezone, weekday: "short" });
}

/** Name of the local time zone at the cut-off: "GMT". */
function zoneOf({ cutOffAt, timezone }: FacilityCutOff): string {
  const parts = new Intl.DateTimeFormat("en-GB", { timeZone: timezone, timeZoneName: "short" }).formatToParts(
    new Date(cutOffAt),
  );
  return parts.find(({ type }) => type === "timeZoneName")?.value ?? timezone;
}

function TimeLeft({ at }: { readonly at: string }) {
  const leftMs = Date.parse(at) - useNow();
  const tone: Tone = leftMs > soonMs ? "moving" : "waiting";
  return <ToneBadge tone={tone} text={leftMs <= 0 ? "now" : `${duration(leftMs)} left`} />;
}
