import { api } from "../../../api.ts";
import { ActionButton } from "../../../parts/actions/action-button.tsx";
import type { Field } from "../../../parts/fields.tsx";
import { conditionField, conditionOf } from "../adjust/lot-fields.ts";

interface CountButtonProps {
  readonly clientId: string;
  readonly sku: string;
  /** Facilities that may have the product. */
  readonly facilities: readonly string[];
  /** The chosen facility. */
  readonly at: string | undefined;
}

const fieldsOf = ({ facilities, at }: CountButtonProps): readonly Field[] => [
  {
    name: "distributionCentre",
    label: "Facility",
    kind: "select",
    initial: at ?? "",
    isRequired: true,
    options: facilities.map((value) => ({ value, label: value })),
  },
  { name: "stockPool", label: "Stock pool", description: "Empty: every pool." },
  { name: "batchRef", label: "Batch", description: "Empty: every batch." },
  { name: "expiryDate", label: "Expires", kind: "date", description: "Empty: any date." },
  conditionField,
  {
    name: "isShown",
    label: "Show the expected quantities to the warehouse",
    kind: "switch",
    description: "Without them the count is blind.",
  },
  { name: "note", label: "Note for the warehouse", kind: "lines" },
];

/** Asks a warehouse to count the product. */
export function CountButton(props: CountButtonProps) {
  const { clientId, sku, facilities } = props;
  return (
    <ActionButton
      verb="Count"
      title={`Count ${sku}`}
      text="The warehouse gets a task. A small difference is booked when it reports; a difference above the client's tolerance waits for approval."
      fields={fieldsOf(props)}
      run={({
        distributionCentre = "",
        stockPool = "",
        batchRef = "",
        expiryDate = "",
        condition,
        isShown,
        note = "",
      }) =>
        api.POST("/count/create", {
          body: {
            clientId,
            sku,
            distributionCentre,
            condition: conditionOf(condition),
            isBlind: isShown !== "true",
            ...(stockPool.trim() === "" ? {} : { stockPool: stockPool.trim() }),
            ...(batchRef.trim() === "" ? {} : { batchRef: batchRef.trim() }),
            ...(expiryDate === "" ? {} : { expiryDate }),
            ...(note.trim() === "" ? {} : { note: note.trim() }),
          },
        })
      }
      done={({ distributionCentre }) => `${distributionCentre} has the task to count ${sku}.`}
      whyNot={facilities.length === 0 ? "No facility of the client has had stock of this SKU." : undefined}
    />
  );
}
