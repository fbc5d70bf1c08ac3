import { Button, NumberInput, Textarea } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { components } from "#operator";
import { api } from "../../../api.ts";
import { linkTo } from "../../../links.ts";
import { CsvFileButton } from "../../../parts/csv/csv-file-button.tsx";
import type { Column } from "../../../parts/list/data-list.tsx";
import { StaticList } from "../../../parts/list/static-list.tsx";
import { sentenceOf } from "../../../parts/loading/problem.tsx";
import { Notice } from "../../../parts/notice.tsx";
import { PlaceFirst } from "../../../parts/page/place-first.tsx";
import { useScope } from "../../../scope.ts";
import { useMay } from "../../../session.tsx";
import styles from "../carriers.module.css";

type Charge = components["schemas"]["InvoicedCharge"];

const columnsOf = (clientId: string): readonly Column<Charge>[] => [
  { key: "line", kind: "number", header: "Line" },
  { key: "trackingNumber", header: "Tracking number", width: 190 },
  { key: "result", kind: "word", header: "Result" },
  { key: "invoiced", header: "Invoiced", width: 110, of: ({ invoiced }) => invoiced.toFixed(2) },
  { key: "currency", header: "Currency", width: 90 },
  { key: "decided", header: "Decided", width: 110, of: ({ decided }) => decided?.toFixed(2) },
  { key: "decidedCurrency", header: "Decided in", width: 100 },
  {
    key: "orderId",
    kind: "id",
    header: "Order",
    of: ({ orderId }) => orderId,
    to: ({ orderId }) => linkTo("order", clientId, orderId ?? ""),
  },
];

/** Compares the invoice of a carrier with the kept decisions. Nothing is stored. */
export function InvoicedCosts() {
  const { clientId } = useScope();
  const [csv, setCsv] = useState("");
  const [tolerancePercent, setTolerance] = useState(1);
  const mayCheck = useMay("operator");
  const check = useMutation({
    mutationFn: (body: components["schemas"]["CarrierInvoice"]) => api.POST("/carrierInvoice/check", { body }),
  });
  if (clientId === undefined) return <PlaceFirst what="An invoice is compared for one client." isClientOnly />;
  if (!mayCheck) return <p>Users with the role operator compare invoices.</p>;
  return (
    <div className={styles.stack}>
      <Textarea
        label="Invoice of a carrier"
        description="CSV: a line with the columns, then a line for each charge, at most 5,000. Charges of one tracking number are added up."
        placeholder={"trackingNumber,amount,currency\nRM123456785GB,4.20,GBP"}
        autosize
        minRows={4}
        maxRows={10}
        value={csv}
        onChange={(event) => setCsv(event.currentTarget.value)}
      />
      <div className={styles.row}>
        <CsvFileButton take={setCsv} />
        <NumberInput
          label="Tolerance, %"
          size="xs"
          min={0}
          max={1_000}
          value={tolerancePercent}
          onChange={(value) => setTolerance(Number(value))}
        />
        <Button
          size="xs"
          loading={check.isPending}
          disabled={csv.trim() === ""}
          onClick={() => check.mutate({ clientId, csv, tolerancePercent })}
        >
          Compare
        </Button>
      </div>
      {check.error ? (
        <Notice tone="failed" isAlert title="The invoice cannot be read">
          {sentenceOf(check.error)}
        </Notice>
      ) : null}
      {check.data ? (
        <StaticList
          id="invoiced-costs"
          label="Invoiced costs"
          columns={columnsOf(clientId)}
          rows={check.data.items}
          rowId={({ trackingNumber }) => trackingNumber}
          empty={{ why: "The invoice has no charge." }}
          hasBar
        />
      ) : null}
    </div>
  );
}
