import { Button, Group, Modal, NumberInput } from "@mantine/core";
import { useState } from "react";
import { Form } from "../../../parts/form.tsx";
import type { RateCard } from "../carrier-data.ts";
import styles from "../carriers.module.css";

interface PriceFormProps {
  readonly card: RateCard;
  /** Index of the break. */
  readonly place: number;
  close(): void;
  save(card: RateCard): void;
}

/** A price in its cell. */
export function PriceForm({ card, place, close, save }: PriceFormProps) {
  const priceBreak = card.breaks[place] as RateCard["breaks"][number];
  const [price, setPrice] = useState<number | string>(priceBreak.price);
  const [extra, setExtra] = useState<number | string>(priceBreak.perExtraKg ?? "");
  const submit = () => {
    const { perExtraKg: _before, ...rest } = priceBreak;
    const next = { ...rest, price: Number(price), ...(extra === "" ? {} : { perExtraKg: Number(extra) }) };
    save({ ...card, breaks: card.breaks.map((weightBreak, i) => (i === place ? next : weightBreak)) });
  };
  return (
    <Modal opened onClose={close} title={`${card.serviceCode}: ${priceBreak.zone}, up to ${priceBreak.upToKg} kg`}>
      <Form className={styles.stack} submit={submit}>
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
            Cancel
          </Button>
          <Button type="submit">Change in the draft</Button>
        </Group>
      </Form>
    </Modal>
  );
}
