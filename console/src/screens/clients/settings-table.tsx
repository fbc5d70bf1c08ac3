import { Table } from "@mantine/core";
import type { components } from "#operator";
import { ActionButton } from "../../parts/actions/action-button.tsx";
import type { Field } from "../../parts/fields.tsx";
import { ToneBadge } from "../../parts/state-badge.tsx";
import { useMay } from "../../session.tsx";
import { typeWord } from "../audit/audit-words.ts";
import styles from "./clients.module.css";

export type Setting = components["schemas"]["Setting"];

/** Names whose words differ from those of their code. */
const labels: Readonly<Record<string, string>> = {
  parkUnknownSkus: "Park unknown SKUs",
  catMode: "Catalogue mode",
  companyName: "Company",
  address1: "Address, first line",
  address2: "Address, second line",
  zip: "Postcode",
  state: "State or county",
  status: "Status",
  rmaDays: "RMA days",
  countAbc: "Count by ABC class",
  exporterEori: "Exporter EORI number",
  exporterVatNumber: "Exporter VAT number",
  iossNumber: "IOSS number",
};

/** A switch in words; any other value is shown as it is stored. */
const valueText = (value: string) => ({ true: "Yes", false: "No" })[value] ?? value;

interface SettingsTableProps {
  readonly settings: readonly Setting[];
  /** Owner in the dialog: "client ACME". */
  readonly owner: string;
  /** Saves one setting; null resets it to its default. A thrown error is shown. */
  change(name: string, value: string | null): Promise<unknown>;
}

/** Settings with their effects and defaults. Each is changed separately, and takes effect at once. */
export function SettingsTable({ settings, owner, change }: SettingsTableProps) {
  const mayChange = useMay("admin");
  return (
    <div className={styles.scroll}>
      <Table aria-label="Settings">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Setting</Table.Th>
            <Table.Th>Value</Table.Th>
            <Table.Th>Default</Table.Th>
            <Table.Th>Effect</Table.Th>
            {mayChange ? <Table.Th>Change</Table.Th> : null}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {settings.map((setting) => (
            <Table.Tr key={setting.name}>
              <Table.Td>
                <span>{labels[setting.name] ?? typeWord(setting.name)}</span>
                <br />
                <code className={styles.dim}>{setting.name}</code>
              </Table.Td>
              <Table.Td className={styles.value ?? ""}>
                {valueText(setting.value)} {setting.isSet ? <ToneBadge tone="moving" text="Set" /> : null}
              </Table.Td>
              <Table.Td className={styles.dim ?? ""}>{valueText(setting.standard)}</Table.Td>
              <Table.Td className={styles.meaning ?? ""}>{setting.meaning.replaceAll("`", "")}</Table.Td>
              {mayChange ? (
                <Table.Td>
                  <ChangeSetting setting={setting} owner={owner} change={change} />
                </Table.Td>
              ) : null}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}

function ChangeSetting({
  setting,
  owner,
  change,
}: Omit<SettingsTableProps, "settings"> & { readonly setting: Setting }) {
  const { name, value, isSet, standard, meaning, choices } = setting;
  const field: Field = {
    name: "value",
    label: name,
    description: `${meaning.replaceAll("`", "")}. Empty: the default, ${valueText(standard)}.`,
    initial: isSet || choices !== null ? value : "",
    ...(choices === null
      ? {}
      : { kind: "select", options: choices.map((choice) => ({ value: choice, label: valueText(choice) })) }),
  };
  return (
    <ActionButton
      verb="Change"
      label={`Change ${name}`}
      role="admin"
      size="xs"
      title={`Change ${name} of ${owner}`}
      text="Takes effect at once in every running server."
      fields={[field]}
      run={({ value: next = "" }) => change(name, next.trim() === "" ? null : next)}
      done={`${name} was changed.`}
    />
  );
}
