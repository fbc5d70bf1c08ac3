import { Button, Group, Modal, Textarea } from "@mantine/core";
import { useMemo, useState } from "react";
import { api } from "../../../api.ts";
import { useData } from "../../../data.ts";
import { CsvFileButton } from "../../../parts/csv/csv-file-button.tsx";
import { Form } from "../../../parts/form.tsx";
import type { Column } from "../../../parts/list/data-list.tsx";
import { StaticList } from "../../../parts/list/static-list.tsx";
import { Notice } from "../../../parts/notice.tsx";
import type { RateCard } from "../carrier-data.ts";
import styles from "../carriers.module.css";
import { useDraft } from "../draft/draft.tsx";
import { percentText } from "../draft/draft-change-list.tsx";
import { withCard } from "../services/zone-values.ts";
import { type GridChange, gridChangesOf, readGrid, withGrid, zoneNamesOf } from "./price-grid.ts";

const faultsShown = 20;
const changesShown = 500;

interface PriceImportProps {
  readonly card: RateCard;
  /** Index of the card in the draft. */
  readonly at: number;
  close(): void;
}

/** Replaces prices of a matrix by cells of a spreadsheet, after each change of a price was shown. */
export function PriceImport({ card, at, close }: PriceImportProps) {
  const { data, change } = useDraft();
  const [text, setText] = useState("");
  const { reading, after, changes } = useMemo(() => {
    const read = readGrid(text, zoneNamesOf(card));
    const made = withGrid(card, read);
    return { reading: read, after: made, changes: gridChangesOf(card, made) };
  }, [text, card]);
  const next = withCard(data, at, after);
  const isRead = text.trim() !== "" && reading.faults.length === 0;
  const checked = useData(
    ["carrierData", "prices", JSON.stringify(next)],
    async (signal) => (await api.POST("/carrierData/check", { body: { data: next }, signal })).faults,
    { isReady: isRead && changes.length > 0 },
  );
  const faults = isRead ? faultsOfCells(checked.data ?? [], after, at, reading) : reading.faults.map(placeOf);
  const isSound = isRead && faults.length === 0 && changes.length > 0;
  return (
    <Modal opened onClose={close} size="xl" title={`Prices of ${card.serviceCode} from a spreadsheet`}>
      <Form
        className={styles.stack}
        submit={() => {
          if (!isSound) return;
          change(next);
          close();
        }}
      >
        <Textarea
          label="Cells"
          description={`A row of zones, then a row for each weight: "2", and the price of a parcel in ${card.currency} under each zone. "5.40+0.25" has the price of each further kilogram. Zones that you leave out keep their prices; weights that you leave out are removed.`}
          placeholder={`Up to kg\t${zoneNamesOf(card).slice(0, 3).join("\t")}\n2\t3.10`}
          autosize
          minRows={4}
          maxRows={10}
          value={text}
          data-autofocus
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <div>
          <CsvFileButton take={setText} />
        </div>
        {text.trim() === "" ? null : faults.length > 0 ? (
          <Notice tone="failed" isAlert title={faults.length === 1 ? "1 error" : `${faults.length} errors`}>
            {faults.slice(0, faultsShown).map((fault) => (
              <div key={fault}>{fault}</div>
            ))}
            {faults.length > faultsShown ? <div>and {faults.length - faultsShown} more</div> : null}
          </Notice>
        ) : changes.length === 0 ? (
          <Notice tone="ended" title="The prices are those of the draft" />
        ) : (
          <Changes changes={changes} currency={card.currency} />
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" disabled={!isSound || checked.data === undefined || checked.isPlaceholderData}>
            {changes.length === 1 ? "Change 1 price in the draft" : `Change ${changes.length} prices in the draft`}
          </Button>
        </Group>
      </Form>
    </Modal>
  );
}

interface Placed {
  readonly row: number;
  readonly column: number | undefined;
  readonly message: string;
}

const placeOf = ({ row, column, message }: Placed) =>
  `Row ${row}${column === undefined ? "" : `, column ${column}`}: ${message}`;

/** Faults that the API found in the prices of the grid, at their cells; other faults of the draft have their own place. */
function faultsOfCells(
  faults: readonly { readonly pointer: string; readonly message: string }[],
  { breaks }: RateCard,
  at: number,
  reading: ReturnType<typeof readGrid>,
): string[] {
  return faults.flatMap(({ pointer, message }) => {
    const index = new RegExp(`^#/rateCards/${at}/breaks/(\\d+)`).exec(pointer)?.[1];
    const found = index === undefined ? undefined : breaks[Number(index)];
    const cell = reading.breaks.find(({ values }) => values === found);
    return cell === undefined ? [] : [placeOf({ ...cell, message: `${cell.values.zone}: ${message}` })];
  });
}

interface ChangesProps {
  readonly changes: readonly GridChange[];
  readonly currency: string;
}

const columnsOf = (currency: string): readonly Column<GridChange>[] => [
  { key: "zone", header: "Zone", width: 160 },
  { key: "upToKg", kind: "number", header: "Up to kg" },
  { key: "before", kind: "number", header: `Before, ${currency}`, none: "none" },
  { key: "after", kind: "number", header: `After, ${currency}`, none: "removed" },
  {
    key: "percent",
    kind: "number",
    header: "Change",
    cell: ({ percent }) => (percent === undefined ? "–" : percentText(percent)),
  },
];

function Changes({ changes, currency }: ChangesProps) {
  return (
    <div>
      <StaticList
        id="changed-prices"
        label="Changed prices"
        columns={columnsOf(currency)}
        rows={changes.slice(0, changesShown)}
        rowId={({ zone, upToKg }) => `${zone} ${upToKg}`}
        height={320}
        empty={{ why: "No price is another." }}
      />
      {changes.length > changesShown ? <p>and {changes.length - changesShown} more</p> : null}
    </div>
  );
}
