import { Button, Checkbox, NumberInput, Select, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { components } from "#operator";
import { api } from "../../api.ts";
import { useFacilityOptions } from "../../directory.ts";
import { enumerations } from "../../enumerations.ts";
import { choiceName, DecisionTable, moneyText } from "../../parts/decision.tsx";
import { Form } from "../../parts/form.tsx";
import { Empty } from "../../parts/loading/empty.tsx";
import { Problem } from "../../parts/loading/problem.tsx";
import { Section } from "../../parts/page/screen.tsx";
import { wordOf } from "../../parts/tones.ts";
import { useScope } from "../../scope.ts";
import styles from "./carriers.module.css";
import { useDraft } from "./draft/draft.tsx";

type Shipment = components["schemas"]["TrialShipment"];

const levels = enumerations.ServiceLevel;
const strategies = enumerations.DeterminationStrategy;

const start = {
  facility: "",
  country: "GB",
  zip: "BS1 5TY",
  weight: "1.2",
  length: "30",
  width: "20",
  height: "10",
  value: "",
  serviceLevel: "",
  strategy: "CHEAPEST",
  carrier: "",
  isHazmat: false,
  isBulky: false,
  isResidential: true,
  signatureRequired: false,
};
type ShipmentForm = typeof start;

function shipmentOf(form: ShipmentForm, facility: string): Shipment {
  const { country, zip, serviceLevel, carrier, isHazmat, isBulky, isResidential, signatureRequired } = form;
  const number = (text: string) => (text === "" ? undefined : Number(text));
  const [length, width, height] = [number(form.length), number(form.width), number(form.height)];
  const parcel = {
    weight: Number(form.weight),
    ...(length === undefined ? {} : { length }),
    ...(width === undefined ? {} : { width }),
    ...(height === undefined ? {} : { height }),
    ...(form.value === "" ? {} : { declaredValue: { amount: Number(form.value), currency: "GBP" } }),
  };
  return {
    distributionCentre: facility,
    shipTo: { country: country.trim().toUpperCase(), isResidential, ...(zip.trim() === "" ? {} : { zip: zip.trim() }) },
    parcels: [parcel],
    ...(serviceLevel === "" ? {} : { serviceLevel: serviceLevel as (typeof levels)[number] }),
    ...(carrier === "" ? {} : { requestedCarrierCode: carrier }),
    strategy: form.strategy as (typeof strategies)[number],
    isHazmat,
    isBulky,
    signatureRequired,
  };
}

/** The decision for a test shipment, with the reason of each rejection. It uses the draft if there is one. */
export function Tester() {
  const { data, isChanged, held } = useDraft();
  const facilities = useFacilityOptions();
  const { distributionCentre } = useScope();
  const [form, setForm] = useState<ShipmentForm>(start);
  const facility = form.facility || distributionCentre || facilities[0]?.value || "";
  const decide = useMutation({
    mutationFn: () => api.POST("/carrierData/try", { body: { data, request: shipmentOf(form, facility) } }),
  });
  const set = <Name extends keyof ShipmentForm>(name: Name, value: ShipmentForm[Name]) =>
    setForm((before) => ({ ...before, [name]: value }));
  const text = (name: "country" | "zip") => ({
    value: form[name],
    onChange: (event: { currentTarget: { value: string } }) => set(name, event.currentTarget.value),
  });
  const number = (name: "weight" | "length" | "width" | "height" | "value") => ({
    value: form[name],
    min: 0,
    onChange: (value: string | number) => set(name, String(value)),
  });
  const flag = (name: "isHazmat" | "isBulky" | "isResidential" | "signatureRequired") => ({
    checked: form[name],
    onChange: (event: { currentTarget: { checked: boolean } }) => set(name, event.currentTarget.checked),
  });
  const by = isChanged ? "the draft" : `version ${held?.version ?? 0}, in force`;
  return (
    <div className={styles.columns}>
      <Form className={styles.stack} submit={() => decide.mutate()} aria-label="Shipment">
        <Select
          label="From"
          data={facilities}
          value={facility}
          allowDeselect={false}
          onChange={(code) => set("facility", code ?? "")}
        />
        <div className={styles.pair}>
          <TextInput label="To country" maxLength={3} required {...text("country")} />
          <TextInput label="Postcode" {...text("zip")} />
        </div>
        <div className={styles.pair}>
          <NumberInput label="Weight in kg" required {...number("weight")} />
          <NumberInput label="Declared value in GBP" {...number("value")} />
        </div>
        <div className={styles.three}>
          <NumberInput label="Length in cm" {...number("length")} />
          <NumberInput label="Width in cm" {...number("width")} />
          <NumberInput label="Height in cm" {...number("height")} />
        </div>
        <div className={styles.pair}>
          <Select
            label="Service level"
            data={[...levels]}
            clearable
            value={form.serviceLevel || null}
            onChange={(level) => set("serviceLevel", level ?? "")}
          />
          <Select
            label="Strategy"
            data={strategies.map((value) => ({ value, label: wordOf(value) }))}
            allowDeselect={false}
            value={form.strategy}
            onChange={(strategy) => set("strategy", strategy ?? "CHEAPEST")}
          />
        </div>
        <Select
          label="Only this carrier"
          clearable
          data={[...new Set(data.services.map(({ carrierCode }) => carrierCode))]}
          value={form.carrier || null}
          onChange={(code) => set("carrier", code ?? "")}
        />
        <div className={styles.row}>
          <Checkbox label="Hazardous" {...flag("isHazmat")} />
          <Checkbox label="Bulky" {...flag("isBulky")} />
          <Checkbox label="To a home" {...flag("isResidential")} />
          <Checkbox label="Signature" {...flag("signatureRequired")} />
        </div>
        <div>
          <Button type="submit" size="xs" loading={decide.isPending} disabled={facility === ""}>
            Decide
          </Button>
        </div>
      </Form>
      <div className={styles.stack}>
        {decide.error ? <Problem error={decide.error} what="The decision" retry={() => decide.mutate()} /> : null}
        {decide.data ? (
          <Section title="Decision" note={`By ${by}. Nothing is saved.`}>
            <p className={styles.chosen}>
              {decide.data.chosen === null
                ? "No carrier fits."
                : `${choiceName(decide.data.chosen)}${decide.data.chosen.price ? `, ${moneyText(decide.data.chosen.price.total)}` : ""}`}
            </p>
            {decide.data.rulesApplied.length > 0 ? (
              <p>Rules that matched: {decide.data.rulesApplied.join(", ")}.</p>
            ) : null}
            <DecisionTable decision={decide.data} />
          </Section>
        ) : decide.error ? null : (
          <Empty
            why={`Describe the shipment. Every candidate is shown with its price, or with the reason why it was excluded. Decided by ${by}.`}
          />
        )}
      </div>
    </div>
  );
}
