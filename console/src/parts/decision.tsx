import styles from "./decision.module.css";
import { ToneBadge } from "./state-badge.tsx";

interface Money {
  /** Major units. */
  readonly amount: number;
  readonly currency: string;
}

interface Choice {
  readonly carrierCode: string;
  readonly serviceCode: string | null;
  readonly price: {
    readonly base: Money;
    readonly surcharges: readonly { readonly code: string; readonly amount: Money }[];
    readonly total: Money;
    readonly live?: { readonly sourceCode: string; readonly ageSeconds: number };
  } | null;
  readonly chargeableWeight: { readonly value: number; readonly uom: string };
  readonly zone: string | null;
  readonly despatchDate: string | null;
  readonly estimatedDelivery: string | null;
}

/** Result of a determination, or of a draft (contract carriers.md, Answer). */
export interface Decided {
  readonly chosen: Choice | null;
  readonly alternatives: readonly Choice[];
  readonly rejected: readonly {
    readonly carrierCode: string;
    readonly serviceCode: string;
    readonly reasons: readonly { readonly code: string; readonly text: string; readonly ruleId?: string }[];
  }[];
}

export const moneyText = ({ amount, currency }: Money): string =>
  new Intl.NumberFormat("en-GB", { style: "currency", currency }).format(amount);

/** "HBP-48", or "HBP NEXTDAY" where the code of the service does not begin with that of its carrier. */
export const choiceName = ({ carrierCode, serviceCode }: Pick<Choice, "carrierCode" | "serviceCode">): string =>
  serviceCode?.startsWith(`${carrierCode}-`) ? serviceCode : `${carrierCode} ${serviceCode ?? ""}`.trim();

/** All candidates of a decision: the chosen one, the other suitable ones, and the reason of each rejection. */
export function DecisionTable({ decision: { chosen, alternatives, rejected } }: { readonly decision: Decided }) {
  return (
    <section
      className={styles.scroll}
      aria-label="Candidates" /* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */
      tabIndex={0}
    >
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">Service</th>
            <th scope="col">Outcome</th>
            <th scope="col" className={styles.number}>
              Price
            </th>
            <th scope="col">Leaves</th>
            <th scope="col">Arrives</th>
            <th scope="col">Why</th>
          </tr>
        </thead>
        <tbody>
          {chosen === null ? null : <ChoiceRow choice={chosen} isChosen />}
          {alternatives.map((choice) => (
            <ChoiceRow key={choiceName(choice)} choice={choice} isChosen={false} />
          ))}
          {rejected.map((choice) => (
            <tr key={choiceName(choice)}>
              <td>{choiceName(choice)}</td>
              <td>
                <ToneBadge tone="ended" text="Excluded" />
              </td>
              <td className={styles.number}>–</td>
              <td>–</td>
              <td>–</td>
              <td>
                <ul className={styles.reasons}>
                  {choice.reasons.map(({ code, text, ruleId }) => (
                    <li key={`${code} ${text}`}>
                      <span className={styles.code}>{code}</span> {text}
                      {ruleId === undefined ? "" : ` (rule ${ruleId})`}
                    </li>
                  ))}
                </ul>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function ChoiceRow({ choice, isChosen }: { readonly choice: Choice; readonly isChosen: boolean }) {
  const { price, zone, chargeableWeight, despatchDate, estimatedDelivery } = choice;
  const weight = `${chargeableWeight.value} ${chargeableWeight.uom.toLowerCase()} chargeable`;
  return (
    <tr>
      <td>{choiceName(choice)}</td>
      <td>
        <ToneBadge tone={isChosen ? "done" : "ended"} text={isChosen ? "Chosen" : "Alternative"} />
      </td>
      <td className={styles.number}>{price === null ? "–" : moneyText(price.total)}</td>
      <td className={styles.day}>{despatchDate ?? "–"}</td>
      <td className={styles.day}>{estimatedDelivery ?? "–"}</td>
      <td>
        {zone === null ? weight : `zone ${zone}, ${weight}`}
        {price === null ? "" : `: ${moneyText(price.base)}`}
        {price?.live && ` live rate of ${price.live.sourceCode}, ${Math.floor(price.live.ageSeconds / 60)} min old`}
        {price?.surcharges.map(({ code, amount }) => ` + ${code} ${moneyText(amount)}`).join("")}
      </td>
    </tr>
  );
}
