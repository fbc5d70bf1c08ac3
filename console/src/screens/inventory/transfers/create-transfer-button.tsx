import { api } from "../../../api.ts";
import { useFacilityOptions } from "../../../directory.ts";
import { linkTo } from "../../../links.ts";
import { ActionButton } from "../../../parts/actions/action-button.tsx";
import { skuLines, skuLinesOf } from "../../../parts/sku-lines.ts";
import { useHasNoLimits } from "../../../session.tsx";

interface CreateTransferButtonProps {
  readonly clientId: string;
  /** Proposed by the dialog: the product, and the facility that has it. */
  readonly sku?: string;
  readonly at?: string | undefined;
}

/** Moves goods of a client to another facility. It concerns two facilities: users with limits do not see it. */
export function CreateTransferButton({ clientId, sku, at }: CreateTransferButtonProps) {
  const options = useFacilityOptions();
  if (!useHasNoLimits()) return null;
  return (
    <ActionButton
      verb="Create transfer"
      title={`Move goods of ${clientId} to another facility`}
      text="The goods are allocated at once, all of them or none. The sending warehouse ships them; the other one receives them as a purchase order."
      fields={[
        { name: "fromFacility", label: "From facility", kind: "select", isRequired: true, initial: at ?? "", options },
        { name: "toFacility", label: "To facility", kind: "select", isRequired: true, options },
        { ...skuLines, initial: sku === undefined ? "" : `${sku} ` },
        { name: "notes", label: "Notes for the warehouse" },
      ]}
      run={({ fromFacility = "", toFacility = "", lines = "", notes = "" }) =>
        api.POST("/client/transfer/create", {
          params: { query: { clientId } },
          body: { clientId, fromFacility, toFacility, lines: skuLinesOf(lines), ...(notes === "" ? {} : { notes }) },
        })
      }
      done={({ transferId }) => `Transfer ${transferId} was created.`}
      opens={({ transferId }) => linkTo("transfer", clientId, transferId)}
    />
  );
}
