import type { components } from "#operator";
import { api } from "../../api.ts";
import { linkTo } from "../../links.ts";
import { ActionButton } from "../../parts/actions/action-button.tsx";
import { type Column, DataList } from "../../parts/list/data-list.tsx";
import { pagesOf } from "../../parts/list/pages.ts";
import { Screen } from "../../parts/page/screen.tsx";
import { CarrierAccounts } from "./port-credentials.tsx";

type Facility = components["schemas"]["FacilitySummary"];

const pathOf = ({ facilityCode }: Facility) => linkTo("facility", "", facilityCode);

/** Local time of the facility: `17:40`. */
const clockAt = (timezone: string) =>
  new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", timeZone: timezone }).format(new Date());

const columns: readonly Column<Facility>[] = [
  { key: "facilityCode", kind: "id", header: "Facility", to: pathOf },
  { key: "name", header: "Name", width: 240 },
  { key: "status", states: "facility" },
  { key: "country", header: "Country" },
  { key: "timezone", header: "Time zone", width: 170 },
  { key: "now", header: "Local time", width: 110, of: ({ timezone }) => clockAt(timezone) },
  { key: "cutOffTime", header: "Cut-off", width: 120, none: "none" },
  { key: "createdAt", header: "Created" },
];

const noScope: readonly never[] = [];

/** The facilities that the user may see, and the carriers' accounts. */
export function FacilityList() {
  return (
    <Screen title="Facilities" actions={<AddFacility />}>
      <DataList
        id="facilities"
        label="Facilities"
        columns={columns}
        scope={noScope}
        fetchPage={pagesOf("/facilityDirectory/list")}
        height={400}
        empty={{ why: "No facility yet. Create one before stock can be stored or shipped.", action: <AddFacility /> }}
      />
      <CarrierAccounts />
    </Screen>
  );
}

function AddFacility() {
  return (
    <ActionButton
      verb="Add facility"
      role="admin"
      isPrimary
      title="Add facility"
      text="No client can use it until it is in the client's list of facilities."
      fields={[
        {
          name: "facilityCode",
          label: "Code",
          isRequired: true,
          placeholder: "DC3",
          description: "1 to 10 letters, digits, _ or -. Feeds name it as distributionCentre. It cannot be changed.",
        },
        { name: "name", label: "Name", isRequired: true },
        { name: "country", label: "Country code", isRequired: true, placeholder: "GB" },
        { name: "timezone", label: "Time zone", isRequired: true, placeholder: "Europe/London" },
        { name: "cutOffTime", label: "Cut-off time", placeholder: "17:00", description: "Local time; empty: none." },
      ]}
      run={({ facilityCode = "", name = "", country = "", timezone = "", cutOffTime = "" }) =>
        api.POST("/facilityDirectory/create", {
          body: {
            facilityCode: facilityCode.trim(),
            name,
            country,
            timezone,
            ...(cutOffTime.trim() === "" ? {} : { settings: { cutOffTime } }),
          },
        })
      }
      done="The facility was added."
    />
  );
}
