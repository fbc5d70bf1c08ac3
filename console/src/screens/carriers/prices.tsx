import { Button, Group, Modal, NumberInput, Select } from "@mantine/core";
import { useState } from "react";
import { useSearchParams } from "react-router";
import { HeatMap } from "../../parts/charts/heat-map.tsx";
import { Empty } from "../../parts/loading/empty.tsx";
import { Facts } from "../../parts/page/facts.tsx";
import { useSetParams } from "../../scope.ts";
import { useMay } from "../../session.tsx";
import type { RateCard } from "./carrier-data.ts";
import styles from "./carriers.module.css";
import { useDraft } from "./draft.tsx";

const cardName = ({ serviceCode, validFrom, validTo, currency }: RateCard) =>
  `${serviceCode} · ${currency}${validFrom ? ` · from ${validFrom}` : ""}${validTo ? ` · until ${validTo}` : ""}`;

const unique = <T,>(values: readonly T[]) => [...new Set(values)];

/** The price matrix of a service: zones by weight, darker for higher prices. A price is edited in its cell. */
export function Prices() {
  const { data, change } = useDraft();
  const [params] = useSearchParams();
  const setParams = useSetParams();
  const [picked, setPicked] = useState<number | undefined>();
  const mayEdit = useMay("operator");
  if (data.rateCards.length === 0)
    return (
      <Empty why="No price matrix yet. Import a rate card as CSV on the command line: npx crossdock carrier import FILE" />
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
      <Select
        label="Price matrix"
        data={data.rateCards.map((rateCard, i) => ({ value: String(i), label: cardName(rateCard) }))}
        value={String(at)}
        allowDeselect={false}
        searchable
        maw={420}
        onChange={(value) => setParams({ card: value })}
      />
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
      <Facts
        title="Zones"
        facts={card.zones.map(({ zone, country, postcodePrefixes, postcodeRanges, remote }, i) => ({
          name: `${zone}${card.zones.filter((other) => other.zone === zone).length > 1 ? ` (${i + 1})` : ""}`,
          value: `${country}${postcodePrefixes ? ` ${postcodePrefixes.join(" ")}` : ""}${
            postcodeRanges ? ` ${postcodeRanges.map(({ from, to }) => `${from}–${to}`).join(" ")}` : ""
          }${remote ? ", remote" : ""}`,
        }))}
      />
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

interface PriceFormProps {
  readonly card: RateCard;
  /** Index of the break. */
  readonly place: number;
  close(): void;
  save(card: RateCard): void;
}

function PriceForm({ card, place, close, save }: PriceFormProps) {
  const priceBreak = card.breaks[place] as RateCard["breaks"][number];
  const [price, setPrice] = useState<number | string>(priceBreak.price);
  const [extra, setExtra] = useState<number | string>(priceBreak.perExtraKg ?? "");
  const submit = () => {
    const { perExtraKg: _before, ...rest } = priceBreak;
    const next = { ...rest, price: Number(price), ...(extra === "" ? {} : { perExtraKg: Number(extra) }) };
    save({ ...card, breaks: card.breaks.map((weightBreak, i) => (i === place ? next : weightBreak)) });
  };
  return (
    <Modal
      opened
      onClose={close}
      title={`${card.serviceCode}: ${priceBreak.zone}, up to ${priceBreak.upToKg} kg`}
      closeButtonProps={{ "aria-label": "Close" }}
    >
      <form
        className={styles.stack}
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <NumberInput
          label={`Price of a parcel in ${card.currency}`}
          value={price}
          min={0}
          decimalScale={4}
          required
          data-autofocus
          onChange={setPrice}
        />
        <NumberInput
          label="Price of each started kg above the break before"
          description="If empty, the price is the same for the whole break."
          value={extra}
          min={0}
          decimalScale={4}
          onChange={setExtra}
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={close}>
            Keep as it is
          </Button>
          <Button type="submit">Change in the draft</Button>
        </Group>
      </form>
    </Modal>
  );
}
