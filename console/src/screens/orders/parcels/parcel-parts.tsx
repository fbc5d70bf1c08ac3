import { Anchor } from "@mantine/core";
import type { components } from "#operator";
import { CopyButton } from "../../../parts/id.tsx";
import { Timeline } from "../../../parts/page/timeline.tsx";
import { qtyText } from "../../../parts/qty.tsx";
import type { Tone } from "../../../parts/tones.ts";
import { eventsOnce } from "./parcel-events.ts";

export type Parcel = components["schemas"]["ClientOlpn"];

/** The tracking number, with the carrier's page where it has one. */
export function TrackingNumber({ parcel: { trackingNumber, trackingUrl } }: { readonly parcel: Parcel }) {
  if (trackingNumber === null) return "–";
  return (
    <>
      {trackingUrl === null ? (
        trackingNumber
      ) : (
        <Anchor href={trackingUrl} target="_blank" rel="noreferrer" inherit>
          {trackingNumber}
        </Anchor>
      )}{" "}
      <CopyButton text={trackingNumber} isShown />
    </>
  );
}

/** Carrier, tracking number, weight and size, for `Facts`. */
export function measuresOf(parcel: Parcel) {
  const { weight, dimensions } = parcel;
  return {
    carrier: { name: "Carrier", value: [parcel.carrierCode, parcel.carrierServiceCode].filter(Boolean).join(" · ") },
    tracking: { name: "Tracking", value: parcel.trackingNumber !== null && <TrackingNumber parcel={parcel} /> },
    weight: { name: "Weight", value: `${qtyText(weight.value)} ${weight.uom}` },
    size: {
      name: "Size",
      value:
        dimensions &&
        `${dimensions.length ?? "–"} × ${dimensions.width ?? "–"} × ${dimensions.height ?? "–"} ${dimensions.uom}`,
    },
  };
}

function toneOfCode(code: number): Tone {
  if (code === 200 || code === 205 || code === 210) return "done";
  if ([190, 195, 220, 230, 300, 390, 399].includes(code)) return "failed";
  return [148, 165, 170, 175, 180, 185].includes(code) ? "waiting" : "moving";
}

/** The events of a parcel, oldest first. */
export function ParcelTimeline({ parcel: { events, distributionCentre } }: { readonly parcel: Parcel }) {
  return (
    <Timeline
      title="Track and trace"
      facility={distributionCentre}
      events={eventsOnce(events).map(({ at, code, words }) => ({
        at,
        code,
        tone: toneOfCode(code),
        text: words.join(" · "),
      }))}
    />
  );
}
