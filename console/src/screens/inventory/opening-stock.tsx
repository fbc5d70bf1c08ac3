import { Button, Textarea } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { ApiProblem, api } from "../../api.ts";
import { pathWith } from "../../links.ts";
import { CsvFileButton } from "../../parts/csv/csv-file-button.tsx";
import { Go } from "../../parts/go.tsx";
import { sentenceOf } from "../../parts/loading/problem.tsx";
import { Notice } from "../../parts/notice.tsx";
import { PlaceFirst } from "../../parts/page/place-first.tsx";
import { Time } from "../../parts/time.tsx";
import { useScope } from "../../scope.ts";
import { useMay } from "../../session.tsx";
import styles from "./inventory.module.css";

const columns = "distributionCentre,sku,qty,condition,stockPool,batchRef,expiryDate,serials";
const shownFaultsMax = 20;

/** Books the opening stock of a client from a CSV file, after a check that books nothing. */
export function OpeningStock() {
  const { clientId } = useScope();
  const [csv, setCsv] = useState("");
  const mayImport = useMay("operator");
  const check = useImport(true);
  const book = useImport(false);
  if (clientId === undefined) return <PlaceFirst what="Opening stock is booked for one client." isClientOnly />;
  if (!mayImport) return <p>Users with the role operator book opening stock.</p>;

  function change(text: string): void {
    setCsv(text);
    check.reset();
    book.reset();
  }

  const isChecked = check.data !== undefined && check.data.importedAt === null;
  return (
    <div className={styles.pair}>
      <Textarea
        label={`Opening stock of ${clientId}`}
        description="CSV: a line with the columns, then a line for each lot, at most 5,000. The columns sku and qty are required, and distributionCentre if the client has several facilities; | separates serials."
        placeholder={`${columns}\nDC1,MUG-BLUE-330,480,,,,,`}
        autosize
        minRows={5}
        maxRows={14}
        value={csv}
        onChange={(event) => change(event.currentTarget.value)}
      />
      <div className={styles.form}>
        <CsvFileButton take={change} />
        <Button
          variant="default"
          size="xs"
          loading={check.isPending}
          disabled={csv.trim() === ""}
          onClick={() => check.mutate({ clientId, csv })}
        >
          Check
        </Button>
        <Button
          size="xs"
          loading={book.isPending}
          disabled={!isChecked || book.data !== undefined}
          onClick={() => book.mutate({ clientId, csv })}
        >
          Book
        </Button>
      </div>
      <Refused error={check.error ?? book.error} />
      {check.data && !book.data ? <Checked answer={check.data} /> : null}
      {book.data ? (
        <Notice tone="done" title="The opening stock is booked">
          Import {book.data.importId}: {describeFacilities(book.data)}.{" "}
          <Go to={pathWith("/inventory", { client: clientId })}>Levels</Go>
        </Notice>
      ) : null}
    </div>
  );
}

const useImport = (isDryRun: boolean) =>
  useMutation({
    mutationFn: (file: { readonly clientId: string; readonly csv: string }) =>
      api.POST("/stock/import", { body: { ...file, isDryRun } }),
  });

type Answer = NonNullable<ReturnType<typeof useImport>["data"]>;

function Checked({ answer }: { readonly answer: Answer }) {
  if (answer.importedAt !== null) {
    return (
      <Notice tone="waiting" title="This file is booked already">
        Import {answer.importId}, <Time at={answer.importedAt} />. A repeat books nothing.
      </Notice>
    );
  }
  return (
    <Notice tone="moving" title="The file has no fault">
      {describeFacilities(answer)}. Nothing is booked yet.
    </Notice>
  );
}

function Refused({ error }: { readonly error: unknown }) {
  if (!error) return null;
  const faults = error instanceof ApiProblem ? error.errors : [];
  return (
    <Notice tone="failed" isAlert title="Nothing is booked">
      {faults.length === 0
        ? sentenceOf(error)
        : faults.slice(0, shownFaultsMax).map(({ pointer, message }) => <div key={pointer + message}>{message}</div>)}
      {faults.length > shownFaultsMax ? <div>and {faults.length - shownFaultsMax} more</div> : null}
    </Notice>
  );
}

const describeFacilities = ({ facilities }: Answer) =>
  facilities
    .map(({ distributionCentre, lines }) => `${distributionCentre}: ${lines === 1 ? "1 line" : `${lines} lines`}`)
    .join(", ");
