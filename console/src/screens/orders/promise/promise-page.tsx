import { Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useSearchParams } from "react-router";
import { api } from "../../../api.ts";
import { codeAndName, useClients, useFacilityOptions, useTimezone } from "../../../directory.ts";
import { type Field, FieldInput, initialValues, type Values } from "../../../parts/fields.tsx";
import { Form } from "../../../parts/form.tsx";
import { Empty } from "../../../parts/loading/empty.tsx";
import { Problem } from "../../../parts/loading/problem.tsx";
import { Screen } from "../../../parts/page/screen.tsx";
import { skuLines, skuLinesOf } from "../../../parts/sku-lines.ts";
import { useScope, withScope } from "../../../scope.ts";
import { useSession } from "../../../session.tsx";
import { momentAt } from "../../../time-range.ts";
import styles from "../../carriers/carriers.module.css";
import { PromiseAnswer } from "./promise-answer.tsx";

/** Asks for the promise of a basket: facility, day, carrier and price. It stores nothing. */
export function PromisePage() {
  const [params] = useSearchParams();
  const fields = useFields();
  const [entered, setEntered] = useState<Values>({});
  const values = { ...initialValues(fields), ...entered };
  const { clientId = "", distributionCentre = "" } = values;
  const timezone = useTimezone(distributionCentre === "" ? undefined : distributionCentre);
  const ask = useMutation({
    mutationFn: () =>
      api.POST("/client/order/promise", { params: { query: { clientId } }, body: basketOf(values, timezone) }),
  });
  return (
    <Screen
      title="Promise"
      lead="What an order of a basket would get if it came now. Nothing is saved or reserved."
      actions={
        <Button component={Link} to={withScope("/orders", params)} variant="default" size="xs">
          Back to orders
        </Button>
      }
    >
      <div className={styles.columns}>
        <Form className={styles.stack} submit={() => ask.mutate()} aria-label="Basket">
          {fields.map((field) => (
            <FieldInput
              key={field.name}
              field={field}
              value={values[field.name] ?? ""}
              onChange={(value) => setEntered({ ...entered, [field.name]: value })}
            />
          ))}
          <div>
            <Button type="submit" size="xs" loading={ask.isPending} disabled={clientId === ""}>
              Promise
            </Button>
          </div>
        </Form>
        <div className={styles.stack}>
          {ask.error ? <Problem error={ask.error} what="The promise" retry={() => ask.mutate()} /> : null}
          {ask.data ? (
            <PromiseAnswer promise={ask.data} />
          ) : ask.error ? null : (
            <Empty why="Describe the basket. The answer is what allocation, the cut-offs and the carrier decision would give an order of it now." />
          )}
        </div>
      </div>
    </Screen>
  );
}

/** A user who is limited to facilities asks for one of them: the routing compares all. */
function useFields(): readonly Field[] {
  const { facilityCodes } = useSession();
  const scope = useScope();
  const clients = useClients();
  const facilities = useFacilityOptions();
  const facility = scope.distributionCentre ?? (facilityCodes === null ? "" : (facilities[0]?.value ?? ""));
  return [
    {
      name: "clientId",
      label: "Client",
      kind: "select",
      isRequired: true,
      initial: scope.clientId ?? (clients.length === 1 ? (clients[0]?.clientId ?? "") : ""),
      options: clients.map(({ clientId, name }) => ({ value: clientId, label: codeAndName(clientId, name) })),
    },
    skuLines,
    { name: "country", label: "To country", isRequired: true, initial: "GB" },
    { name: "zip", label: "Postcode" },
    {
      name: "distributionCentre",
      label: "Facility",
      kind: "select",
      initial: facility,
      options: facilities,
      ...(facilityCodes === null ? { placeholder: "By the routing of the client" } : { isRequired: true }),
    },
    { name: "shipAfter", label: "Not to leave before", kind: "moment" },
    { name: "deliverBy", label: "Deliver by", kind: "moment" },
  ];
}

function basketOf(values: Values, timezone: string) {
  const { lines = "", country = "", zip = "", distributionCentre = "", shipAfter = "", deliverBy = "" } = values;
  const isoOf = (local: string) => new Date(momentAt(local, timezone)).toISOString();
  return {
    shipToAddress: {
      country: country.trim().toUpperCase(),
      ...(zip.trim() === "" ? {} : { zip: zip.trim() }),
    },
    lines: skuLinesOf(lines),
    ...(distributionCentre === "" ? {} : { distributionCentre }),
    ...(shipAfter === "" ? {} : { shipAfter: isoOf(shipAfter) }),
    ...(deliverBy === "" ? {} : { deliverBy: isoOf(deliverBy) }),
  };
}
