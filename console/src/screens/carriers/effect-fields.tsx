import { Checkbox, MultiSelect, NumberInput, Select, TextInput } from "@mantine/core";
import { enumerations } from "../../enumerations.ts";
import { optionsOf } from "../../parts/options.ts";
import type { CarrierService } from "./carrier-data.ts";
import styles from "./carriers.module.css";

type Effect = Readonly<Record<string, unknown>>;

interface EffectFieldsProps {
  readonly then: Effect;
  change(then: Record<string, unknown>): void;
  readonly services: readonly CarrierService[];
}

const levels = enumerations.ServiceLevel;
const kinds = optionsOf({
  exclude: "exclude the candidate",
  requireService: "take only these services",
  requireCarrier: "take only these carriers",
  prefer: "rank the candidate cheaper or dearer",
  setServiceLevel: "take another service level",
});

const listOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.map(String) : value === undefined ? [] : [String(value)];
const first = (values: readonly string[]) => (values.length === 1 ? values[0] : values);

/** The effect of a matching rule. */
export function EffectFields({ then, change, services }: EffectFieldsProps) {
  const kind = kinds.find(({ value }) => then[value] !== undefined)?.value ?? (then.stop ? "" : "exclude");
  const { reason, stop } = then;
  const kept = { ...(reason === undefined ? {} : { reason }), ...(stop === undefined ? {} : { stop }) };
  const set = (name: string, value: unknown) => change({ ...kept, [name]: value });
  const { amount = 0, currency = "" } = (then.prefer ?? {}) as { amount?: number; currency?: string };
  const initial: Record<string, unknown> = {
    exclude: true,
    requireService: services[0]?.code ?? "",
    requireCarrier: services[0]?.carrierCode ?? "",
    prefer: { amount: -1 },
    setServiceLevel: "STANDARD",
  };
  const takesReason = ["exclude", "requireService", "requireCarrier"].includes(kind);
  return (
    <fieldset className={styles.stack}>
      <legend>Then</legend>
      <div className={styles.pair}>
        <Select
          label="Effect"
          data={kinds}
          value={kind === "" ? null : kind}
          onChange={(next) => (next === null ? change(kept) : set(next, initial[next]))}
        />
        {kind === "requireService" ? (
          <MultiSelect
            label="Services"
            data={services.map(({ code, name }) => ({ value: code, label: `${code} · ${name}` }))}
            value={listOf(then.requireService)}
            searchable
            onChange={(codes) => set("requireService", first(codes))}
          />
        ) : null}
        {kind === "requireCarrier" ? (
          <MultiSelect
            label="Carriers"
            data={[...new Set(services.map(({ carrierCode }) => carrierCode))]}
            value={listOf(then.requireCarrier)}
            searchable
            onChange={(codes) => set("requireCarrier", first(codes))}
          />
        ) : null}
        {kind === "prefer" ? (
          <NumberInput
            label={`Added to the ranking cost${currency === "" ? "" : ` in ${currency}`}`}
            description="A negative value makes it cheaper."
            value={amount}
            decimalScale={4}
            onChange={(value) => set("prefer", { amount: Number(value), ...(currency === "" ? {} : { currency }) })}
          />
        ) : null}
        {kind === "setServiceLevel" ? (
          <Select
            label="Service level"
            data={levels}
            value={String(then.setServiceLevel)}
            allowDeselect={false}
            onChange={(level) => set("setServiceLevel", level)}
          />
        ) : null}
        {takesReason ? (
          <TextInput
            label="Reason, in words"
            description="Shown with every candidate that loses because of this rule."
            value={String(reason ?? "")}
            onChange={(event) => {
              const { reason: _before, ...rest } = then;
              const { value } = event.currentTarget;
              change(value === "" ? rest : { ...rest, reason: value });
            }}
          />
        ) : null}
      </div>
      <Checkbox
        label="Skip the rules after this one"
        checked={stop === true}
        onChange={(event) => {
          const { stop: _before, ...rest } = then;
          change(event.currentTarget.checked ? { ...rest, stop: true } : rest);
        }}
      />
    </fieldset>
  );
}
