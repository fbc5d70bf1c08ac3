import { Button } from "@mantine/core";
import { useState } from "react";
import type { Field, Values } from "../../../parts/fields.tsx";
import { useSetParams } from "../../../scope.ts";
import type { CarrierData, RateCard } from "../carrier-data.ts";
import { useDraft } from "../draft/draft.tsx";
import { PartForm } from "../draft/part-form.tsx";

/** The matrix of these inputs: without zones and prices, or with those of a matrix that is copied. */
function cardOf({ rateCards }: CarrierData, { serviceCode = "", currency = "", ...rest }: Values): RateCard {
  const { zones = [], breaks = [] } = (rest.copied ? rateCards[Number(rest.copied)] : undefined) ?? {};
  const { validFrom = "", validTo = "" } = rest;
  return {
    serviceCode,
    currency: currency.trim().toUpperCase(),
    ...(validFrom === "" ? {} : { validFrom }),
    ...(validTo === "" ? {} : { validTo }),
    zones,
    breaks,
  };
}

/** Adds a price matrix of a service to the draft. */
export function AddCard() {
  const { data, change } = useDraft();
  const setParams = useSetParams();
  const [isOpen, setOpen] = useState(false);
  const place = data.rateCards.length;
  const fields: readonly Field[] = [
    {
      name: "serviceCode",
      label: "Service",
      kind: "select",
      isRequired: true,
      options: data.services.map(({ code, name }) => ({ value: code, label: `${code} · ${name}` })),
    },
    { name: "currency", label: "Currency", isRequired: true, placeholder: "GBP" },
    { name: "validFrom", label: "First day of despatch", kind: "date" },
    { name: "validTo", label: "Last day of despatch", kind: "date" },
    {
      name: "copied",
      label: "Zones and prices of",
      kind: "select",
      description: "Left out: it begins without zones.",
      options: data.rateCards.map(({ serviceCode, currency, validFrom = "" }, i) => ({
        value: String(i),
        label: `${serviceCode} · ${currency} ${validFrom}`.trim(),
      })),
    },
  ];
  return (
    <>
      <Button variant="default" size="xs" onClick={() => setOpen(true)}>
        Add matrix
      </Button>
      {isOpen ? (
        <PartForm
          title="New price matrix"
          fields={fields}
          initial={{
            serviceCode: "",
            currency: data.rateCards[0]?.currency ?? "",
            validFrom: "",
            validTo: "",
            copied: "",
          }}
          isNew
          at={`#/rateCards/${place}`}
          dataWith={(values) => ({ ...data, rateCards: [...data.rateCards, cardOf(data, values)] })}
          close={() => setOpen(false)}
          save={(next) => {
            change(next);
            setOpen(false);
            setParams({ card: String(place) });
          }}
        />
      ) : null}
    </>
  );
}
