import { Button } from "@mantine/core";
import { useMemo, useState } from "react";
import type { Column } from "../../../parts/list/data-list.tsx";
import { StaticList } from "../../../parts/list/static-list.tsx";
import { ToneBadge } from "../../../parts/state-badge.tsx";
import { useMay } from "../../../session.tsx";
import type { CarrierService } from "../carrier-data.ts";
import styles from "../carriers.module.css";
import { useDraft } from "../draft/draft.tsx";
import { PartForm } from "../draft/part-form.tsx";
import { serviceFields } from "./service-fields.ts";
import { serviceOf, valuesOfService, withoutService, withService } from "./service-values.ts";

function stateOf({ activeFrom, activeTo }: CarrierService, today: string) {
  if (activeFrom !== undefined && activeFrom > today) return <ToneBadge tone="waiting" text={`From ${activeFrom}`} />;
  if (activeTo !== undefined && activeTo < today) return <ToneBadge tone="ended" text={`Ended ${activeTo}`} />;
  return <ToneBadge tone="done" text="Offered" />;
}

const takesOf = ({ hazmat, bulky, signature }: CarrierService) =>
  [hazmat && "hazmat", bulky && "bulky", signature && "signature"].filter(Boolean).join(", ") || "plain parcels";

const customsOf = ({ postal, cn22MaxValue }: CarrierService) => {
  if (!postal) return "invoice";
  return cn22MaxValue ? `CN22 to ${cn22MaxValue.amount} ${cn22MaxValue.currency}` : "CN22 or CN23";
};

const columns: readonly Column<CarrierService>[] = [
  { key: "code", kind: "id", header: "Service", to: ({ code }) => `/carriers?tab=prices&card=${code}` },
  { key: "carrierCode", header: "Carrier", width: 120 },
  { key: "name", header: "Name", width: 240, wraps: true },
  { key: "serviceLevel", kind: "word", header: "Level" },
  {
    key: "state",
    kind: "state",
    cell: (service) => stateOf(service, new Date().toISOString().slice(0, 10)),
    text: ({ activeFrom, activeTo }) => `${activeFrom ?? ""} ${activeTo ?? ""}`.trim(),
  },
  {
    key: "countries",
    header: "Delivers to",
    width: 210,
    wraps: true,
    cell: ({ countries }) => (countries === undefined ? "everywhere" : countries.join(", ")),
    text: ({ countries }) => countries?.join(" ") ?? "",
  },
  { key: "maxWeightKg", kind: "number", header: "Up to kg" },
  { key: "maxLongestSideCm", kind: "number", header: "Up to cm" },
  { key: "customs", header: "Customs papers", width: 148, of: customsOf },
  { key: "takes", header: "Takes", width: 160, wraps: true, of: takesOf },
  {
    key: "cutOff",
    header: "Cut-off",
    width: 120,
    wraps: true,
    cell: ({ cutOff }) =>
      Object.entries(cutOff ?? {})
        .map(([facility, time]) => `${facility} ${time}`)
        .join(", ") || "as the facility",
    text: ({ cutOff }) => JSON.stringify(cutOff ?? {}),
  },
];

/** The available services. Each is edited in a form. */
export function Services() {
  const { data, change } = useDraft();
  const [edited, setEdited] = useState<number | undefined>();
  const mayEdit = useMay("operator");
  const ownColumns = useMemo(
    () => (mayEdit ? columns.toSpliced(1, 0, editColumn(data.services, setEdited)) : columns),
    [mayEdit, data],
  );
  const close = () => setEdited(undefined);
  const service = edited === undefined ? undefined : data.services[edited];
  const place = edited ?? data.services.length;
  return (
    <div className={styles.stack}>
      {mayEdit ? (
        <div>
          <Button size="xs" onClick={() => setEdited(data.services.length)}>
            Add service
          </Button>
        </div>
      ) : null}
      <StaticList
        id="carrier-services"
        label="Services of carriers"
        columns={ownColumns}
        rows={data.services}
        rowId={({ code }) => code}
        empty={{ why: "No services yet. Add one, or import carrier data with: npx crossdock carrier import FILE" }}
      />
      {edited === undefined ? null : (
        <PartForm
          title={service ? `Service ${service.code}` : "New service"}
          fields={serviceFields}
          initial={valuesOfService(service)}
          isNew={service === undefined}
          at={`#/services/${place}`}
          removal={
            service && removalOf(data.rateCards.filter(({ serviceCode }) => serviceCode === service.code).length)
          }
          dataWith={(values) => withService(data, place, serviceOf(values, service))}
          close={close}
          save={(next) => {
            change(next);
            close();
          }}
          remove={() => {
            change(withoutService(data, place));
            close();
          }}
        />
      )}
    </div>
  );
}

const removalOf = (cards: number) =>
  cards === 0
    ? "Remove from the draft"
    : `Remove with ${cards === 1 ? "its price matrix" : `its ${cards} price matrices`}`;

const editColumn = (services: readonly CarrierService[], edit: (place: number) => void): Column<CarrierService> => ({
  key: "edit",
  header: "Edit",
  width: 80,
  cell: (service) => (
    <Button
      variant="subtle"
      size="compact-sm"
      aria-label={`Edit ${service.code}`}
      onClick={() => edit(services.indexOf(service))}
    >
      Edit
    </Button>
  ),
  text: () => "",
});
