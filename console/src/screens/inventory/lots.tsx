import { Group } from "@mantine/core";
import type { components } from "#operator";
import { api } from "../../api.ts";
import { linkTo } from "../../links.ts";
import { Go } from "../../parts/go.tsx";
import { type Column, DataList, type Filter } from "../../parts/list/data-list.tsx";
import { useMay } from "../../session.tsx";
import { AdjustButton } from "./adjust/adjust-button.tsx";
import { HoldButton } from "./adjust/hold-button.tsx";
import { StockCondition } from "./stock-condition.tsx";

type Lot = components["schemas"]["StockLot"];

const columnsOf = (clientId: string, sku: string): readonly Column<Lot>[] => [
  { key: "distributionCentre" },
  { key: "condition", cell: (lot) => <StockCondition {...lot} /> },
  { key: "stockPool" },
  {
    key: "batchRef",
    cell: ({ batchRef }) => (batchRef === null ? "–" : <Go to={linkTo("lot", clientId, batchRef, sku)}>{batchRef}</Go>),
  },
  { key: "expiryDate" },
  { key: "qty", kind: "quantity", header: "Quantity" },
  { key: "allocated", kind: "quantity", header: "Allocated" },
  { key: "receivedAt", header: "In stock since" },
  { key: "lastMovementAt", header: "Last movement" },
];

const filters: readonly Filter[] = [{ key: "batchRef", label: "Batch", placeholder: "B-2026-11" }];

interface LotRequest {
  readonly distributionCentre?: string[];
  readonly batchRef?: string;
}

/** Stock of a product by lot; operators adjust a lot and change its condition. */
export function Lots({ clientId, sku }: { readonly clientId: string; readonly sku: string }) {
  const mayAct = useMay("operator");
  const columns = columnsOf(clientId, sku);
  const actions: Column<Lot> = {
    key: "actions",
    header: "Change",
    width: 196,
    cell: (lot) => (
      <Group gap={4} wrap="nowrap">
        <AdjustButton clientId={clientId} sku={sku} lot={lot} />
        <HoldButton clientId={clientId} sku={sku} lot={lot} />
      </Group>
    ),
    text: () => "",
  };
  return (
    <DataList
      id="lots"
      label="Lots"
      scope={["distributionCentre"]}
      columns={mayAct ? [...columns, actions] : columns}
      filters={filters}
      fetchPage={async ({ distributionCentre, batchRef }: LotRequest, signal) => {
        const query = {
          clientId,
          sku,
          ...(distributionCentre === undefined ? {} : { distributionCentre }),
          ...(batchRef === undefined ? {} : { batchRef }),
        };
        return { items: (await api.GET("/stock/lots", { params: { query }, signal })).items };
      }}
      rowId={(lot) => [lot.distributionCentre, lot.condition, lot.stockPool, lot.batchRef, lot.expiryDate].join(" ")}
      empty={{ why: "No stock now. The statement shows the movements." }}
    />
  );
}
