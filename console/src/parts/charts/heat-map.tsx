import { Go } from "../go.tsx";
import styles from "./charts.module.css";

export interface HeatCell {
  /** null: no value. */
  readonly value: number | null;
  /** Text of the cell; default: the value. */
  readonly text?: string;
  /** Text of the tooltip. */
  readonly title?: string;
  readonly to?: string;
}

interface HeatMapProps {
  readonly label: string;
  readonly unit: string;
  /** Meaning of rows and columns: "Zone", "Weight". */
  readonly rowsName: string;
  readonly columnsName: string;
  readonly columns: readonly string[];
  readonly rows: readonly { readonly name: string; readonly cells: readonly HeatCell[] }[];
  /** `accent` for prices and counts, `age` if high values are bad. */
  readonly scale?: "accent" | "age";
  onPick?(row: number, column: number): void;
}

/** A table whose cells are darker for higher values. Every cell shows its number. */
export function HeatMap({ label, unit, rowsName, columnsName, columns, rows, scale = "accent", onPick }: HeatMapProps) {
  const values = rows.flatMap(({ cells }) => cells.flatMap(({ value }) => (value === null ? [] : [value])));
  const least = Math.min(...values, 0);
  const most = Math.max(...values, 1);
  return (
    <section
      className={styles.heatBox}
      aria-label={label} /* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */
      tabIndex={0}
    >
      <table className={styles.heat} data-scale={scale}>
        <caption className={styles.unseen}>
          {label}, in {unit}; rows: {rowsName}, columns: {columnsName}
        </caption>
        <thead>
          <tr>
            <th scope="col">{rowsName}</th>
            {columns.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, cells }, i) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {columns.map((column, j) => {
                const cell = cells[j] ?? { value: null };
                const step =
                  cell.value === null ? 0 : Math.ceil((5 * (cell.value - least)) / Math.max(most - least, 1e-9));
                const text = cell.value === null ? "–" : (cell.text ?? cell.value.toLocaleString("en-GB"));
                return (
                  <td key={column} data-step={step} title={cell.title}>
                    {cell.to !== undefined ? (
                      <Go to={cell.to} isPlain>
                        {text}
                      </Go>
                    ) : onPick ? (
                      <button type="button" onClick={() => onPick(i, j)}>
                        {text}
                      </button>
                    ) : (
                      text
                    )}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
      <p className={styles.unit}>{unit}</p>
    </section>
  );
}
