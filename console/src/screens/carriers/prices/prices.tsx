import { Button, Select } from "@mantine/core";
import { useState } from "react";
import { useSearchParams } from "react-router";
import { HeatMap } from "../../../parts/charts/heat-map.tsx";
import { saveFile } from "../../../parts/csv/csv.ts";
import { Empty } from "../../../parts/loading/empty.tsx";
import { Facts } from "../../../parts/page/facts.tsx";
import { useSetParams } from "../../../scope.ts";
import { useMay } from "../../../session.tsx";
import type { RateCard } from "../carrier-data.ts";
import styles from "../carriers.module.css";
import { useDraft } from "../draft/draft.tsx";
import { Zones } from "../services/zones.tsx";
import { AddCard } from "./add-card.tsx";
import { PriceForm } from "./price-form.tsx";
import { writeGrid } from "./price-grid.ts";
import { PriceImport } from "./price-import.tsx";

const cardName = ({ serviceCode, validFrom, validTo, currency }: RateCard) =>
  `${serviceCode} · ${currency}${validFrom ? ` · from ${validFrom}` : ""}${validTo ? ` · until ${validTo}` : ""}`;

const csvType = { type: "text/csv;charset=utf-8" };
const unique = <T,>(values: readonly T[]) => [...new Set(values)];

/** The price matrix of a service: zones by weight, darker for higher prices. A price is edited in its cell, and all of them as cells of a spreadsheet. */
export function Prices() {
  const { data, change } = useDraft();
  const [params] = useSearchParams();
  const setParams = useSetParams();
  const [picked, setPicked] = useState<number | undefined>();
  const mayEdit = useMay("operator");
  const [isImported, setImported] = useState(false);
  if (data.rateCards.length === 0)
    return (
      <Empty
        why="No price matrix yet. Add one for a service, or import carrier data with: npx crossdock carrier import FILE"
        action={mayEdit ? <AddCard /> : undefined}
      />
    );
  const requested = params.get("card");
  const named = data.rateCards.findIndex((card, i) => requested === String(i) || card.serviceCode === requested);
  // The fullest rate card is the most informative one.
  const fullest = data.rateCards.reduce(
    (best, { breaks }, i, all) => (breaks.length > (all[best]?.breaks.length ?? 0) ? i : best),
    0,
  );
  const at = named < 0 ? fullest : named;
  const card = data.rateCards[at] as RateCard;
  const zones = unique(card.breaks.map(({ zone }) => zone));
  const weights = unique(card.breaks.map(({ upToKg }) => upToKg)).sort((left, right) => left - right);
  const placeOf = (zone: string | undefined, upToKg: number | undefined) =>
    card.breaks.findIndex((weightBreak) => weightBreak.zone === zone && weightBreak.upToKg === upToKg);
  const rows = zones.map((zone) => ({
    name: zone,
    cells: weights.map((upToKg) => {
      const priceBreak = card.breaks[placeOf(zone, upToKg)];
      if (!priceBreak) return { value: null };
      const extra = priceBreak.perExtraKg === undefined ? "" : ` + ${priceBreak.perExtraKg.toFixed(2)}/kg`;
      return {
        value: priceBreak.price,
        text: `${priceBreak.price.toFixed(2)}${extra}`,
        title: `${zone}, up to ${upToKg} kg`,
      };
    }),
  }));
  const pick = (row: number, column: number) => {
    const place = placeOf(zones[row], weights[column]);
    if (place >= 0) setPicked(place);
  };
  return (
    <div className={styles.stack}>
      <div className={styles.row}>
        <Select
          label="Price matrix"
          data={data.rateCards.map((rateCard, i) => ({ value: String(i), label: cardName(rateCard) }))}
          value={String(at)}
          allowDeselect={false}
          searchable
          w={420}
          maw="100%"
          onChange={(value) => setParams({ card: value })}
        />
        <Button
          variant="default"
          size="xs"
          onClick={() => saveFile(`prices-${card.serviceCode}.csv`, new Blob([`\ufeff${writeGrid(card)}`], csvType))}
        >
          Download CSV
        </Button>
        {mayEdit ? (
          <>
            <Button variant="default" size="xs" onClick={() => setImported(true)}>
              Paste or upload
            </Button>
            <AddCard />
          </>
        ) : null}
      </div>
      <HeatMap
        label={`Prices of ${card.serviceCode}`}
        unit={`${card.currency} a parcel, by chargeable weight`}
        rowsName="Zone"
        columnsName="Weight"
        columns={weights.map((upToKg) => `≤ ${upToKg} kg`)}
        rows={rows}
        {...(mayEdit ? { onPick: pick } : {})}
      />
      <Facts
        title={card.surcharges?.length ? "Surcharges, in this order" : "No surcharges"}
        facts={(card.surcharges ?? []).map(({ code, kind, value, when }) => ({
          name: code,
          value: `${kind === "PERCENT" ? `${value} %` : `${value.toFixed(2)} ${card.currency}`}, ${when ?? "always"}`,
        }))}
      />
      <Zones key={at} card={card} at={at} />
      {isImported ? <PriceImport card={card} at={at} close={() => setImported(false)} /> : null}
      {picked === undefined ? null : (
        <PriceForm
          card={card}
          place={picked}
          close={() => setPicked(undefined)}
          save={(next) => {
            change({ ...data, rateCards: data.rateCards.map((rateCard, i) => (i === at ? next : rateCard)) });
            setPicked(undefined);
          }}
        />
      )}
    </div>
  );
}
