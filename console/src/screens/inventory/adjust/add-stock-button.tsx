import { api } from "../../../api.ts";
import { useFacilityOptions } from "../../../directory.ts";
import { ActionButton } from "../../../parts/actions/action-button.tsx";
import { adjustedText, bodyOf, conditionField, conditionOf, reasonFieldsOfMore } from "./lot-fields.ts";

interface AddStockButtonProps {
  readonly clientId: string;
  readonly sku: string;
  /** The chosen facility. */
  readonly at: string | undefined;
}

/** Adds units of any lot to the books: of one without stock too, which has no row with a button. */
export function AddStockButton({ clientId, sku, at }: AddStockButtonProps) {
  const options = useFacilityOptions();
  return (
    <ActionButton
      verb="Add stock"
      title={`Add stock of ${sku}`}
      text="For units that are in the warehouse and not in the books. A small quantity is booked at once; one above the client's tolerance waits for another user. The client gets an adjustment."
      fields={[
        {
          name: "distributionCentre",
          label: "Facility",
          kind: "select",
          initial: at ?? "",
          isRequired: true,
          options,
        },
        { name: "qty", label: "Quantity", kind: "number", isRequired: true },
        conditionField,
        { name: "batchRef", label: "Batch", description: "For a product that is kept by batch." },
        { name: "expiryDate", label: "Expires", kind: "date", description: "For a product that expires." },
        { name: "stockPool", label: "Stock pool", initial: "DEFAULT", isRequired: true },
        ...reasonFieldsOfMore,
      ]}
      run={(values) => {
        const { distributionCentre = "", batchRef = "", expiryDate = "", stockPool = "" } = values;
        const lot = {
          distributionCentre,
          stockPool: stockPool.trim(),
          batchRef: batchRef.trim() || null,
          expiryDate: expiryDate || null,
        };
        const condition = conditionOf(values.condition);
        const body = { ...bodyOf({ clientId, sku, lot }, values), condition, qty: Number(values.qty) };
        return api.POST("/stock/adjust", { body });
      }}
      done={(answer) => adjustedText(answer, clientId)}
    />
  );
}
