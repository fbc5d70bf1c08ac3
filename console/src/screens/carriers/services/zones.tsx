import { Button } from "@mantine/core";
import { useState } from "react";
import type { Field } from "../../../parts/fields.tsx";
import type { Column } from "../../../parts/list/data-list.tsx";
import { StaticList } from "../../../parts/list/static-list.tsx";
import { Section } from "../../../parts/page/screen.tsx";
import { useMay } from "../../../session.tsx";
import type { RateCard } from "../carrier-data.ts";
import { useDraft } from "../draft/draft.tsx";
import { PartForm } from "../draft/part-form.tsx";
import { postcodesText, type RateZone, valuesOfZone, withCard, withoutZone, withZone, zoneOf } from "./zone-values.ts";

const fields: readonly Field[] = [
  {
    name: "zone",
    label: "Zone",
    isRequired: true,
    placeholder: "REMOTE",
    description: "Several entries may form one zone.",
  },
  { name: "country", label: "Country", isRequired: true, placeholder: "GB" },
  {
    name: "postcodes",
    label: "Postcodes",
    kind: "lines",
    placeholder: "IV\n980..984",
    description: "Beginnings, and ranges with two dots, one a line; empty: the whole country. The longest match wins.",
  },
  { name: "remote", label: "Remote", kind: "switch", description: "The surcharge for remote areas applies." },
];

interface PlacedZone {
  readonly zone: RateZone;
  readonly place: number;
}

interface ZonesProps {
  readonly card: RateCard;
  /** Index of the card in the draft. */
  readonly at: number;
}

/** The zones of a price matrix, each edited in a form. */
export function Zones({ card, at }: ZonesProps) {
  const { data, change } = useDraft();
  const [edited, setEdited] = useState<number | undefined>();
  const mayEdit = useMay("operator");
  const columns: readonly Column<PlacedZone>[] = [
    {
      key: "zone",
      header: "Zone",
      width: 160,
      cell: ({ zone, place }) =>
        mayEdit ? (
          <Button variant="subtle" size="compact-sm" onClick={() => setEdited(place)}>
            {zone.zone}
          </Button>
        ) : (
          zone.zone
        ),
      text: ({ zone }) => zone.zone,
    },
    { key: "country", header: "Country", of: ({ zone }) => zone.country },
    {
      key: "postcodes",
      header: "Postcodes",
      width: 400,
      of: ({ zone }) => postcodesText(zone),
      none: "the whole country",
    },
    { key: "remote", header: "Remote", width: 90, of: ({ zone }) => (zone.remote ? "yes" : "no") },
  ];
  const close = () => setEdited(undefined);
  const zone = edited === undefined ? undefined : card.zones[edited];
  const place = edited ?? card.zones.length;
  const prices = card.breaks.filter((of) => of.zone === zone?.zone).length;
  const isLast = card.zones.filter((other) => other.zone === zone?.zone).length === 1;
  return (
    <Section title="Zones" note="Addresses by country and postcode.">
      {mayEdit ? (
        <div>
          <Button size="xs" variant="default" onClick={() => setEdited(card.zones.length)}>
            Add zone
          </Button>
        </div>
      ) : null}
      <StaticList
        id="carrier-zones"
        label="Zones of the price matrix"
        columns={columns}
        rows={card.zones.map((entry, i) => ({ zone: entry, place: i }))}
        rowId={({ place: of }) => String(of)}
        empty={{ why: "No zones yet: the service has no price." }}
        height={320}
      />
      {edited === undefined ? null : (
        <PartForm
          key={place}
          title={zone ? `Zone ${zone.zone} of ${card.serviceCode}` : `New zone of ${card.serviceCode}`}
          fields={fields}
          initial={valuesOfZone(zone)}
          isNew={zone === undefined}
          at={`#/rateCards/${at}/zones/${place}`}
          removal={
            zone === undefined
              ? undefined
              : isLast && prices > 0
                ? `Remove with ${prices === 1 ? "its price" : `its ${prices} prices`}`
                : "Remove from the draft"
          }
          dataWith={(values) => withCard(data, at, withZone(card, place, zoneOf(values, zone)))}
          fieldOf={(below) => below.replace(/^postcode(?:Prefixes|Ranges)/, "postcodes")}
          close={close}
          save={(next) => {
            change(next);
            close();
          }}
          remove={() => {
            change(withCard(data, at, withoutZone(card, place)));
            close();
          }}
        />
      )}
    </Section>
  );
}
