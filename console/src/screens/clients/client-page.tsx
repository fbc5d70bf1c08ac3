import { Group } from "@mantine/core";
import type { AnswerOf } from "../../answer-of.ts";
import { api } from "../../api.ts";
import { linkTo, pathWith } from "../../links.ts";
import { ActionButton } from "../../parts/actions/action-button.tsx";
import { Go } from "../../parts/go.tsx";
import { DetailPage } from "../../parts/page/detail-page.tsx";
import { pageOf } from "../../parts/page/page-of.tsx";
import { Section } from "../../parts/page/screen.tsx";
import { SettingsForm } from "../../parts/settings/settings-form.tsx";
import { StateBadge } from "../../parts/state-badge.tsx";
import { Age, Time } from "../../parts/time.tsx";
import { isNoDeveloper, useIsDeveloper, useMay } from "../../session.tsx";
import { OutboundChannels } from "../outbound/outbound-channels.tsx";
import { ClientOverview } from "./client-overview.tsx";
import styles from "./clients.module.css";
import { Credentials } from "./credentials.tsx";
import { GoingLive } from "./going-live.tsx";
import { ServiceLevel } from "./service-level.tsx";
import { TestFeed } from "./test-feed.tsx";

type Client = AnswerOf<"/clientDirectory/get/{clientId}">;

/** A client: overview, settings, credentials, delivery of outbound feeds, and access. */
export const ClientPage = pageOf("/clientDirectory/get/{clientId}", { what: "The client" }, (client) => (
  <Whole client={client} />
));

interface ClientPatch {
  readonly name?: string;
  readonly facilities?: string[];
  readonly settings?: Record<string, string | null>;
}

function Whole({ client }: { readonly client: Client }) {
  const { clientId, name, facilities, status, settings, credentials, createdAt, updatedAt } = client;
  const maySend = useMay("operator");
  const isDeveloper = useIsDeveloper();
  const patch = (body: ClientPatch) =>
    api.PATCH("/clientDirectory/patch/{clientId}", { params: { path: { clientId } }, body });
  const live = credentials.filter(({ revokedAt }) => revokedAt === null);
  return (
    <DetailPage
      what="Client"
      id={clientId}
      name={name === clientId ? null : name}
      back={{ to: "/clients", label: "Clients" }}
      state={<StateBadge kind="client" state={status} />}
      age={<Age since={createdAt} />}
      actions={<ClientActions client={client} patch={patch} />}
      facts={[
        {
          name: "Facilities, in routing order",
          value:
            facilities.length === 0
              ? "none: every feed for a facility is refused"
              : facilities.map((code, i) => (
                  <span key={code}>
                    {i === 0 ? "" : ", "}
                    {isDeveloper ? code : <Go to={linkTo("facility", "", code)}>{code}</Go>}
                  </span>
                )),
        },
        { name: "Active credentials", value: live.length },
        { name: "Changed", value: <Time at={updatedAt} /> },
        { name: "Lists", value: <Lists clientId={clientId} /> },
      ]}
      tabs={[
        { key: "overview", label: "Overview", content: <ClientOverview clientId={clientId} />, isFor: isNoDeveloper },
        {
          key: "settings",
          label: "Settings",
          content: (
            <SettingsForm settings={settings} change={(setting, value) => patch({ settings: { [setting]: value } })} />
          ),
        },
        {
          key: "service-level",
          label: "Service level",
          content: <ServiceLevel clientId={clientId} />,
          isFor: isNoDeveloper,
        },
        {
          key: "credentials",
          label: "Credentials",
          count: live.length,
          content: <Credentials clientId={clientId} credentials={credentials} />,
        },
        {
          key: "going-live",
          label: "Going live",
          content: <GoingLive clientId={clientId} isIssued={client.certificate != null} />,
        },
        { key: "outbound", label: "Outbound feeds", content: <OutboundChannels clientId={clientId} /> },
        ...(maySend
          ? [
              {
                key: "test",
                label: "Test feed",
                content: (
                  <Section
                    title="Test feed"
                    note="Sends a catalogue of one item, CROSSDOCK-TEST, for the client, and an order of it that is held and never shipped. The wizard and “Issue credential” also test the key of a new credential."
                  >
                    <div className={styles.buttons}>
                      <TestFeed clientId={clientId} apiKey={undefined} />
                    </div>
                  </Section>
                ),
              },
            ]
          : []),
      ]}
    />
  );
}

/** Links to the lists of the client. */
function Lists({ clientId }: { readonly clientId: string }) {
  const client = { client: clientId };
  const isDeveloper = useIsDeveloper();
  const lists = {
    Orders: pathWith("/orders", client),
    Feeds: pathWith("/feeds", client),
    Requests: `${linkTo("client", "", clientId)}/requests`,
    Stock: pathWith("/inventory", client),
    ...(isDeveloper ? {} : { Exceptions: pathWith("/exceptions", client) }),
  };
  return (
    <Group gap="md">
      {Object.entries(lists).map(([name, to]) => (
        <Go key={name} to={to}>
          {name}
        </Go>
      ))}
    </Group>
  );
}

interface ClientActionsProps {
  readonly client: Client;
  patch(body: ClientPatch): Promise<unknown>;
}

function ClientActions({ client, patch }: ClientActionsProps) {
  const { clientId, name, facilities, status } = client;
  const params = { path: { clientId } };
  return (
    <>
      <ActionButton
        verb="Change name and facilities"
        role="admin"
        title={`Change ${clientId}`}
        text="Takes effect at once in every running server."
        fields={[
          { name: "name", label: "Name", initial: name, isRequired: true },
          {
            name: "facilities",
            label: "Facilities, in routing order",
            initial: facilities.join(", "),
            description: "Codes, separated by commas, in the order in which they are tried.",
            isRequired: true,
          },
        ]}
        run={(values) =>
          patch({
            name: values.name ?? name,
            facilities: (values.facilities ?? "")
              .split(",")
              .map((code) => code.trim())
              .filter((code) => code !== ""),
          })
        }
        done={`Client ${clientId} was changed.`}
      />
      {status === "SUSPENDED" ? (
        <ActionButton
          verb="Resume client"
          role="admin"
          isPrimary
          run={() => api.POST("/clientDirectory/resume/{clientId}", { params })}
          done={`Client ${clientId} is active again.`}
        />
      ) : (
        <ActionButton
          verb="Suspend client"
          role="admin"
          isDestructive
          title={`Suspend client ${clientId}`}
          text="Its feeds, REST calls and SFTP log-ins are refused from now on, and it gets no new tokens. Accepted work continues, and so do its outbound feeds and webhooks."
          run={() => api.POST("/clientDirectory/suspend/{clientId}", { params })}
          done={`Client ${clientId} is suspended.`}
        />
      )}
    </>
  );
}
