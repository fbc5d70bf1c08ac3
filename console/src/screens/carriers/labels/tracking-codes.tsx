import type { components } from "#operator";
import { api } from "../../../api.ts";
import { useAnswer } from "../../../data.ts";
import { ActionButton } from "../../../parts/actions/action-button.tsx";
import type { Column } from "../../../parts/list/data-list.tsx";
import { StaticList } from "../../../parts/list/static-list.tsx";
import { Loaded } from "../../../parts/loading/loaded.tsx";
import { Section } from "../../../parts/page/screen.tsx";
import { ToneBadge } from "../../../parts/state-badge.tsx";
import { Time } from "../../../parts/time.tsx";

type Code = components["schemas"]["TrackingCode"];

const columns: readonly Column<Code>[] = [
  { key: "carrierCode", header: "Reported by", width: 150 },
  { key: "code", header: "Carrier code", width: 220 },
  {
    key: "eventCode",
    header: "Event",
    width: 260,
    cell: ({ eventCode, eventName }) =>
      eventCode === null ? <ToneBadge tone="failed" text="Not mapped" /> : `${eventCode} ${eventName ?? ""}`,
    text: ({ eventCode, eventName }) => `${eventCode ?? ""} ${eventName ?? "Not mapped"}`.trim(),
  },
  { key: "events", kind: "count", header: "Unmapped events" },
  {
    key: "lastSeenAt",
    header: "Last unmapped",
    width: 150,
    cell: ({ lastSeenAt }) => (lastSeenAt === null ? null : <Time at={lastSeenAt} />),
    text: ({ lastSeenAt }) => lastSeenAt ?? "",
  },
  { key: "actions", header: "Actions", width: 110, cell: (row) => <MapCode row={row} />, text: () => "" },
];

/** Codes of carriers and tracking services, and the event codes that they mean. */
export function TrackingCodes() {
  const listed = useAnswer("/trackingCode/list", {});
  return (
    <Section
      title="Tracking codes"
      note="What the codes of carriers and tracking services mean. Events with a code that is not mapped are kept as 399."
    >
      <Loaded query={listed} what="The tracking codes" height={480}>
        {({ items }) => (
          <StaticList
            id="tracking-codes"
            label="Tracking codes"
            columns={columns}
            rows={items}
            rowId={({ carrierCode, code }) => `${carrierCode} ${code}`}
            empty={{ why: "No code is known." }}
          />
        )}
      </Loaded>
    </Section>
  );
}

function MapCode({ row: { carrierCode, code, eventCode } }: { readonly row: Code }) {
  return (
    <ActionButton
      verb="Map"
      label={`Map ${carrierCode} ${code}`}
      role="admin"
      size="xs"
      title={`Map ${code} of ${carrierCode}`}
      text="From the next event on, for all clients."
      fields={[
        {
          name: "eventCode",
          label: "Event code",
          kind: "number",
          isRequired: true,
          placeholder: "120",
          initial: eventCode === null ? "" : String(eventCode),
        },
      ]}
      run={({ eventCode: chosen = "" }) =>
        api.POST("/trackingCode/map", { body: { carrierCode, code, eventCode: Number(chosen) } })
      }
      done={`${code} is mapped.`}
    />
  );
}
