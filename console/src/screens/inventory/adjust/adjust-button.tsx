import { api } from "../../../api.ts";
import { ActionButton } from "../../../parts/actions/action-button.tsx";
import { optionsOf } from "../../../parts/options.ts";
import { adjustedText, bodyOf, conditionOf, type LotOfProduct, lotText, reasonFields } from "./lot-fields.ts";

/** Adjusts a lot by a difference, or to what is on the shelf. */
export function AdjustButton(props: LotOfProduct) {
  const { sku, lot } = props;
  return (
    <ActionButton
      verb="Adjust"
      label={`Adjust ${sku}, ${lotText(lot)}`}
      size="xs"
      title={`Adjust ${sku}`}
      text={`${lotText(lot)}. A small difference is booked at once; a difference above the client's tolerance waits for another user. The client gets an adjustment.`}
      fields={[
        {
          name: "way",
          label: "Quantity is",
          kind: "select",
          isRequired: true,
          initial: "difference",
          options: optionsOf({
            difference: "a difference, such as -2",
            counted: "what is on the shelf, without picked and packed units",
          }),
        },
        { name: "qty", label: "Quantity", kind: "number", isRequired: true },
        ...reasonFields,
      ]}
      run={(values) => {
        const qty = Number(values.qty);
        const quantity = values.way === "counted" ? { countedQty: qty } : { qty };
        const body = { ...bodyOf(props, values), condition: conditionOf(lot.condition), ...quantity };
        return api.POST("/stock/adjust", { body });
      }}
      done={(answer) => adjustedText(answer, props.clientId)}
    />
  );
}
