import { Button, Group, Modal } from "@mantine/core";
import { useState } from "react";
import { api } from "../../../api.ts";
import { useData } from "../../../data.ts";
import { type Field, FieldInput, type Values } from "../../../parts/fields.tsx";
import { Form } from "../../../parts/form.tsx";
import { Notice } from "../../../parts/notice.tsx";
import type { CarrierData } from "../carrier-data.ts";
import styles from "../carriers.module.css";

interface PartFormProps {
  readonly title: string;
  readonly fields: readonly Field[];
  readonly initial: Values;
  readonly isNew: boolean;
  /** Place of the part in the set, as in the pointers of faults: `#/services/3`. */
  readonly at: string;
  /** Parts that are removed with it: "Remove with 2 price matrices"; without it, the part cannot be removed. */
  readonly removal?: string | undefined;
  /** The set with the part as it is entered. */
  dataWith(values: Values): CarrierData;
  /** The field of a place below the part: `postcodePrefixes/3` is of the field of postcodes. */
  fieldOf?(place: string): string;
  close(): void;
  save(data: CarrierData): void;
  remove?(): void;
}

const same = (place: string) => place;

/** The names below the field, and the value of an element of a list: `"XX"` for `countries/1`. */
function wordsOf(data: CarrierData, at: string, place: string): string {
  const steps = place.split("/");
  const value = `${at}/${place}`
    .split("/")
    .slice(1)
    .reduce<unknown>((found, step) => (found as Record<string, unknown> | undefined)?.[step], data);
  const names = steps.slice(1).filter((step) => !/^\d+$/.test(step));
  const isElement = /^\d+$/.test(steps.at(-1) ?? "") && typeof value === "string";
  return [...names, ...(isElement ? [`"${value}"`] : [])].join(" ");
}

/** A form for a service or a zone of the draft. The API checks the whole set during input; faults are at their fields. */
export function PartForm(props: PartFormProps) {
  const { title, fields, initial, isNew, at, removal, dataWith, fieldOf = same, close, save, remove } = props;
  const [values, setValues] = useState(initial);
  const data = dataWith(values);
  const checked = useData(["carrierData", "part", at, JSON.stringify(data)], async (signal) => {
    const { faults } = await api.POST("/carrierData/check", { body: { data }, signal });
    return faults.flatMap(({ pointer, message }) =>
      pointer === at || pointer.startsWith(`${at}/`) ? [{ place: pointer.slice(at.length + 1), message }] : [],
    );
  });
  const faults = checked.data ?? [];
  const nameOf = (place: string) => fieldOf(place).split("/")[0] ?? "";
  const faultsOf = (name: string) =>
    faults
      .filter(({ place }) => nameOf(place) === name)
      .map(({ place, message }) => `${wordsOf(data, at, place)} ${message}`.trim())
      .join("; ");
  const others = faults.filter(({ place }) => !fields.some(({ name }) => name === nameOf(place)));
  const isComplete = fields.every(({ name, isRequired }) => !isRequired || (values[name] ?? "").trim() !== "");
  return (
    <Modal opened onClose={close} size="xl" title={title}>
      <Form className={styles.stack} submit={() => save(data)}>
        <div className={styles.pair}>
          {fields.map((field) => {
            // An empty required field says what it needs by its asterisk.
            const isEmpty = field.isRequired && (values[field.name] ?? "") === "";
            const error = isEmpty ? "" : faultsOf(field.name);
            return (
              <FieldInput
                key={field.name}
                field={field}
                value={values[field.name] ?? ""}
                {...(error === "" ? {} : { error })}
                onChange={(value) => setValues((before) => ({ ...before, [field.name]: value }))}
              />
            );
          })}
        </div>
        {others.length === 0 ? null : (
          <Notice tone="waiting" title="Not valid yet">
            {others.map(({ place, message }) => (
              <div key={`${place} ${message}`}>
                <code>{place}</code> {message}
              </div>
            ))}
          </Notice>
        )}
        <Group justify="space-between">
          {removal === undefined ? (
            <span />
          ) : (
            <Button variant="default" c="var(--tone-failed)" onClick={remove}>
              {removal}
            </Button>
          )}
          <Group gap="xs">
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <Button type="submit" disabled={!isComplete}>
              {isNew ? "Add to the draft" : "Change in the draft"}
            </Button>
          </Group>
        </Group>
      </Form>
    </Modal>
  );
}
