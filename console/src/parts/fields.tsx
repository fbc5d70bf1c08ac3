import { MultiSelect, NumberInput, PasswordInput, Select, Switch, Textarea, TextInput } from "@mantine/core";

/**
 * An input of an action. Values are strings: a switch is "true" or "false", multiple values are separated by commas.
 */
export interface Field {
  readonly name: string;
  readonly label: string;
  readonly kind?: "text" | "lines" | "number" | "select" | "several" | "switch" | "date" | "moment" | "password";
  readonly description?: string;
  readonly placeholder?: string;
  readonly isRequired?: boolean;
  readonly initial?: string;
  /** For a select, and for multiple values. */
  readonly options?: readonly FieldOption[];
}

export interface FieldOption {
  readonly value: string;
  readonly label: string;
}

export type Values = Readonly<Record<string, string>>;

export function initialValues(fields: readonly Field[]): Values {
  return Object.fromEntries(
    fields.map(({ name, initial, kind }) => [name, initial ?? (kind === "switch" ? "false" : "")]),
  );
}

/** The values of a field with multiple values. */
export function listOf(value: string): string[] {
  return value === "" ? [] : value.split(",");
}

const inputTypes: Readonly<Record<string, string>> = { date: "date", moment: "datetime-local" };

interface FieldInputProps {
  readonly field: Field;
  readonly value: string;
  /** Fault of the value. */
  readonly error?: string;
  onChange(value: string): void;
}

/** The input of a field, with its label. */
export function FieldInput({ field, value, error, onChange }: FieldInputProps) {
  const { kind = "text", label, description, placeholder, isRequired = false, options = [] } = field;
  const common = {
    label,
    required: isRequired,
    withAsterisk: isRequired,
    ...(description === undefined ? {} : { description }),
    ...(placeholder === undefined ? {} : { placeholder }),
    ...(error === undefined ? {} : { error }),
  };
  switch (kind) {
    case "lines":
      return (
        <Textarea
          {...common}
          value={value}
          onChange={(e) => onChange(e.currentTarget.value)}
          autosize
          minRows={3}
          maxRows={16}
        />
      );
    case "number":
      return <NumberInput {...common} value={value} onChange={(next) => onChange(String(next))} />;
    case "select":
      return (
        <Select
          {...common}
          data={[...options]}
          value={value === "" ? null : value}
          onChange={(next) => onChange(next ?? "")}
          searchable={options.length > 8}
          allowDeselect={!isRequired}
        />
      );
    case "several":
      return (
        <MultiSelect
          {...common}
          data={[...options]}
          value={listOf(value)}
          onChange={(next) => onChange(next.join(","))}
          openOnFocus={false}
          searchable
        />
      );
    case "switch":
      return (
        <Switch
          label={label}
          {...(description === undefined ? {} : { description })}
          {...(error === undefined ? {} : { error })}
          checked={value === "true"}
          onChange={(e) => onChange(String(e.currentTarget.checked))}
        />
      );
    case "password":
      return <PasswordInput {...common} value={value} onChange={(e) => onChange(e.currentTarget.value)} />;
    default:
      return (
        <TextInput
          {...common}
          type={inputTypes[kind] ?? "text"}
          // Limits the year to four digits; otherwise the input accepts six.
          {...(kind === "moment" ? { max: "9999-12-31T23:59" } : {})}
          value={value}
          onChange={(e) => onChange(e.currentTarget.value)}
        />
      );
  }
}
