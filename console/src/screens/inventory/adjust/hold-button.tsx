import { api } from "../../../api.ts";
import { ActionButton } from "../../../parts/actions/action-button.tsx";
import { wordOf } from "../../../parts/tones.ts";
import { bodyOf, conditionOf, conditions, type LotOfProduct, lotText, reasonFields } from "./lot-fields.ts";

/** Puts a quantity of good stock on hold, or releases goods in another condition. */
export function HoldButton(props: LotOfProduct) {
  const { sku, lot } = props;
  const fromCondition = conditionOf(lot.condition);
  const isGood = fromCondition === "GOOD";
  const verb = isGood ? "Put on hold" : "Release";
  return (
    <ActionButton
      verb={verb}
      label={`${verb} ${sku}, ${lotText(lot)}`}
      size="xs"
      title={`${verb} ${sku}`}
      text={`${lotText(lot)}. ${isGood ? "The quantity can no longer be sold." : "The quantity can be sold again, as far as its expiry allows."} The client gets an adjustment.`}
      fields={[
        { name: "qty", label: "Quantity", kind: "number", isRequired: true, initial: String(lot.qty - lot.allocated) },
        {
          name: "toCondition",
          label: "New condition",
          kind: "select",
          isRequired: true,
          initial: isGood ? "ON_HOLD" : "GOOD",
          options: conditions
            .filter((condition) => condition !== fromCondition)
            .map((value) => ({ value, label: wordOf(value) })),
        },
        ...reasonFields,
      ]}
      run={(values) => {
        const toCondition = conditionOf(values.toCondition);
        const body = { ...bodyOf(props, values), qty: Number(values.qty), fromCondition, toCondition };
        return api.POST("/stock/hold", { body });
      }}
      done={`The quantity of ${sku} has its new condition.`}
    />
  );
}
