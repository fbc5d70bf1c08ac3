import { useParams } from "react-router";
import type { AnswerOf } from "../../answer-of.ts";
import { api, unwrap } from "../../api.ts";
import { useData } from "../../data.ts";
import { ActionButton } from "../../parts/actions/action-button.tsx";
import { Loaded } from "../../parts/loading/loaded.tsx";
import { DetailPage } from "../../parts/page/detail-page.tsx";
import { Facts } from "../../parts/page/facts.tsx";
import { StateBadge } from "../../parts/state-badge.tsx";
import { Age, Time } from "../../parts/time.tsx";
import { useMay } from "../../session.tsx";
import { SettingsTable } from "../clients/settings-table.tsx";
import { WarehouseCredentials } from "./port-credentials.tsx";

type Facility = AnswerOf<"/facilityDirectory/get/{facilityCode}">;

/** A facility: address, working days, cut-off, and the credentials of its warehouse system. */
export function FacilityPage() {
  const { facilityCode = "" } = useParams();
  const facility = useData(["facility", facilityCode], (signal) =>
    unwrap(api.GET("/facilityDirectory/get/{facilityCode}", { params: { path: { facilityCode } }, signal })),
  );
  return (
    <Loaded query={facility} what="The facility" height={480}>
      {(loaded) => <Whole facility={loaded} />}
    </Loaded>
  );
}

interface FacilityPatch {
  readonly name?: string;
  readonly settings?: Record<string, string | null>;
}

function Whole({ facility }: { readonly facility: Facility }) {
  const { facilityCode, name, country, timezone, status, settings, createdAt } = facility;
  const seesCredentials = useMay("operator");
  const patch = (body: FacilityPatch) =>
    unwrap(api.PATCH("/facilityDirectory/patch/{facilityCode}", { params: { path: { facilityCode } }, body }));
  const textOf = (setting: string) => {
    const found = settings.find((candidate) => candidate.name === setting);
    return found?.isSet ? found.value : undefined;
  };
  const address = ["companyName", "address1", "address2", "city", "zip", "state"]
    .map(textOf)
    .filter((line) => line !== undefined);
  return (
    <DetailPage
      what="Facility"
      id={facilityCode}
      back={{ to: "/facilities", label: "Facilities" }}
      state={<StateBadge kind="facility" state={status} />}
      age={<Age since={createdAt} />}
      actions={
        <ActionButton
          verb="Change name"
          role="admin"
          fields={[{ name: "name", label: "Name", initial: name, isRequired: true }]}
          run={(values) => patch({ name: values.name ?? name })}
          done="The name was changed."
        />
      }
      facts={
        <Facts
          facts={[
            { name: "Name", value: name },
            { name: "Address", value: [...address, country].join(", ") },
            { name: "Time zone", value: timezone },
            { name: "Cut-off", value: facility.cutOffTime ?? "none" },
            { name: "Operating days", value: settings.find((setting) => setting.name === "operatingDays")?.value },
            { name: "Holidays", value: textOf("holidays")?.replaceAll(",", ", ") },
            { name: "Capabilities", value: textOf("capabilities")?.replaceAll(",", ", ") },
            { name: "Created", value: <Time at={createdAt} timezone={timezone} isExact /> },
          ]}
        />
      }
      tabs={[
        {
          key: "settings",
          label: "Settings",
          content: (
            <SettingsTable
              settings={settings}
              owner={`facility ${facilityCode}`}
              change={(setting, value) => patch({ settings: { [setting]: value } })}
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
