import type { AnswerOf } from "../../answer-of.ts";
import { api } from "../../api.ts";
import { linkTo } from "../../links.ts";
import { ActionButton } from "../../parts/actions/action-button.tsx";
import { countryName } from "../../parts/country.ts";
import { Go } from "../../parts/go.tsx";
import { DetailPage } from "../../parts/page/detail-page.tsx";
import { pageOf } from "../../parts/page/page-of.tsx";
import { SettingsForm } from "../../parts/settings/settings-form.tsx";
import { StateBadge } from "../../parts/state-badge.tsx";
import { Age, Time } from "../../parts/time.tsx";
import { wordOf } from "../../parts/tones.ts";
import { useMay, useSession } from "../../session.tsx";
import { dateFormat } from "../../time-display.ts";
import { HolidayCalendar } from "./holiday-calendar.tsx";
import { type Holiday, holidaysOf, holidaysText } from "./holidays.ts";
import { WarehouseCredentials } from "./port-credentials.tsx";

type Facility = AnswerOf<"/facilityDirectory/get/{facilityCode}">;

/** A facility: address, settings such as its cut-off, holidays, and the credentials of its warehouse system. */
export const FacilityPage = pageOf("/facilityDirectory/get/{facilityCode}", { what: "The facility" }, (facility) => (
  <Whole facility={facility} />
));

interface FacilityPatch {
  readonly name?: string;
  readonly settings?: Record<string, string | null>;
}

function Whole({ facility }: { readonly facility: Facility }) {
  const { facilityCode, name, country, timezone, status, settings, createdAt } = facility;
  const seesCredentials = useMay("operator");
  const seesAll = useSession().facilityCodes === null;
  const patch = (body: FacilityPatch) =>
    api.PATCH("/facilityDirectory/patch/{facilityCode}", { params: { path: { facilityCode } }, body });
  const textOf = (setting: string) => {
    const found = settings.find((candidate) => candidate.name === setting);
    return found?.isSet ? found.value : undefined;
  };
  const addressSettings = settings.filter(({ group }) => group === addressGroup);
  const holidays = holidaysOf(textOf("holidays") ?? "");
  const address = ["companyName", "address1", "address2", "city", "zip", "state"]
    .map(textOf)
    .filter((line) => line !== undefined);
  return (
    <DetailPage
      what="Facility"
      id={facilityCode}
      name={name}
      back={{ to: "/facilities", label: "Facilities" }}
      state={<StateBadge kind="facility" state={status} />}
      age={<Age since={createdAt} />}
      actions={
        <>
          <ActionButton
            verb="Change name"
            role="admin"
            fields={[{ name: "name", label: "Name", initial: name, isRequired: true }]}
            run={(values) => patch({ name: values.name ?? name })}
            done="The name was changed."
          />
          <ActionButton
            verb="Change address"
            role="admin"
            title={`Change the address of ${facilityCode}`}
            text="Labels and papers show it as the sender."
            fields={addressSettings.map(({ name: part, title }) => ({
              name: part,
              label: title,
              initial: textOf(part) ?? "",
            }))}
            run={(values) =>
              patch({
                settings: Object.fromEntries(
                  addressSettings.map(({ name: part }) => [
                    part,
                    (values[part] ?? "").trim() === "" ? null : (values[part] ?? ""),
                  ]),
                ),
              })
            }
            done="The address was changed."
          />
        </>
      }
      facts={[
        { name: "Address", value: [...address, countryName(country)].join(", ") },
        { name: "Time zone", value: timezone },
        { name: "Holidays", value: <Holidays holidays={holidays} /> },
        { name: "Capabilities", value: textOf("capabilities")?.split(",").map(wordOf).join(", ") },
        { name: "Created", value: <Time at={createdAt} timezone={timezone} isExact /> },
        {
          name: "Requests",
          value: seesAll && <Go to={`${linkTo("facility", "", facilityCode)}/requests`}>Requests of the warehouse</Go>,
        },
      ]}
      tabs={[
        {
          key: "settings",
          label: "Settings",
          content: (
            <SettingsForm
              settings={settings.filter(({ name: of, group }) => group !== addressGroup && of !== "holidays")}
              change={(setting, value) => patch({ settings: { [setting]: value } })}
            />
          ),
        },
        {
          key: "holidays",
          label: "Holidays",
          content: (
            <HolidayCalendar
              holidays={holidays}
              today={new Date().toLocaleDateString("sv-SE", { timeZone: timezone })}
              change={(next) => patch({ settings: { holidays: next.length === 0 ? null : holidaysText(next) } })}
            />
          ),
        },
        ...(seesCredentials
          ? [
              {
                key: "warehouse",
                label: "Warehouse system",
                content: <WarehouseCredentials facilityCode={facilityCode} />,
              },
            ]
          : []),
      ]}
    />
  );
}

/** Days with their names, one a line. */
function Holidays({ holidays }: { readonly holidays: readonly Holiday[] }) {
  if (holidays.length === 0) return "none";
  const format = dateFormat("UTC", "day");
  return holidays.map(({ day, name }) => {
    const at = new Date(`${day}T00:00:00Z`);
    return (
      <div key={day}>
        {Number.isNaN(at.getTime()) ? day : format.format(at)} {name}
      </div>
    );
  });
}

/** The country is set when the facility is created. */
const addressGroup = "Address";
