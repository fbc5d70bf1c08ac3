import { Button, MultiSelect, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import type { components } from "#operator";
import { ApiProblem, api } from "../../api.ts";
import { useFacilities } from "../../directory.ts";
import { linkTo } from "../../links.ts";
import { Form } from "../../parts/form.tsx";
import { Go } from "../../parts/go.tsx";
import { Empty } from "../../parts/loading/empty.tsx";
import { sentenceOf } from "../../parts/loading/problem.tsx";
import { Screen, Section } from "../../parts/page/screen.tsx";
import { useMay } from "../../session.tsx";
import styles from "./clients.module.css";
import { IssuedSecrets } from "./secrets-box.tsx";
import { TestFeed } from "./test-feed.tsx";

type Credentials = components["schemas"]["Onboarding"];

/** Creates a client in three steps: its data, its credentials, which are shown once, and a first successful feed. */
export function Onboarding() {
  const [made, setMade] = useState<Credentials>();
  const mayAdd = useMay("admin");
  return (
    <Screen
      title="Add client"
      lead="Enter four fields, copy the credentials (they are shown once), and send a test feed and a test order."
    >
      <ol className={styles.steps}>
        <li aria-current={made ? undefined : "step"}>1 Client details</li>
        <li aria-current={made ? "step" : undefined}>2 Credentials</li>
        <li aria-current={made ? "step" : undefined}>3 Test feed</li>
      </ol>
      {mayAdd ? (
        <div className={`${styles.narrow} ${styles.form}`}>
          {made ? <Made credentials={made} /> : <ClientForm onMade={setMade} />}
        </div>
      ) : (
        <Empty why="Only an admin adds clients." />
      )}
    </Screen>
  );
}

/** The service's error message for a field. */
function faultAt(error: unknown, pointer: string): string | undefined {
  return error instanceof ApiProblem ? error.errors.find((fault) => fault.pointer === pointer)?.message : undefined;
}

const fieldPointers = ["#/clientId", "#/name", "#/facilities", "#/settings/outboundEmailList"];

function ClientForm({ onMade }: { readonly onMade: (credentials: Credentials) => void }) {
  const known = useFacilities();
  const queries = useQueryClient();
  const [clientId, setClientId] = useState("");
  const [name, setName] = useState("");
  const [facilities, setFacilities] = useState<string[]>([]);
  const [email, setEmail] = useState("");
  const making = useMutation({
    mutationFn: () => {
      const body = {
        clientId: clientId.trim(),
        facilities,
        ...(name.trim() === "" ? {} : { name: name.trim() }),
        ...(email.trim() === "" ? {} : { settings: { outboundEmailList: email.trim() } }),
      };
      return api.POST("/clientDirectory/create", { body });
    },
    onSuccess: (credentials) => {
      onMade(credentials);
      void queries.invalidateQueries({ queryKey: ["clientDirectory"] });
    },
  });
  const { error } = making;
  const isElsewhere = error !== null && !fieldPointers.some((pointer) => faultAt(error, pointer) !== undefined);
  return (
    <Section title="Client details">
      <Form submit={() => making.mutate()} className={styles.form}>
        <TextInput
          label="Client identifier"
          description="1 to 10 letters, digits, _ or -. It is part of every feed and address, and cannot be changed."
          placeholder="ACME"
          required
          maxLength={10}
          value={clientId}
          onChange={(event) => setClientId(event.currentTarget.value)}
          error={faultAt(error, "#/clientId")}
          autoFocus
        />
        <TextInput
          label="Name"
          description="The display name of the client."
          placeholder="Acme Outdoor"
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={faultAt(error, "#/name")}
        />
        <MultiSelect
          label="Facilities, in routing order"
          description="Orders without a facility go to the first one that has the stock. None selected: all."
          data={known.map(({ facilityCode, name: title }) => ({
            value: facilityCode,
            label: `${facilityCode} ${title === facilityCode ? "" : title}`.trim(),
          }))}
          value={facilities}
          onChange={setFacilities}
          error={faultAt(error, "#/facilities")}
          searchable
        />
        <TextInput
          label="Alert e-mail"
          description="Notified when outbound feeds cannot be delivered. Separate several addresses by commas."
          placeholder="ops@acme.example"
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
          error={faultAt(error, "#/settings/outboundEmailList")}
        />
        {isElsewhere ? (
          <p role="alert" className={styles.fault}>
            {sentenceOf(error)}
          </p>
        ) : null}
        <div className={styles.buttons}>
          <Button type="submit" size="xs" loading={making.isPending} disabled={clientId.trim() === ""}>
            Create client and show its credentials
          </Button>
          <Go to="/clients">Back to the clients</Go>
        </div>
      </Form>
    </Section>
  );
}

function Made({ credentials }: { readonly credentials: Credentials }) {
  const { clientId, feed } = credentials;
  const issues = useMemo(
    () => [{ number: 0, title: `Credentials of ${clientId}`, secrets: credentials }],
    [clientId, credentials],
  );
  return (
    <>
      <IssuedSecrets issues={issues} />
      <Section
        title="Test feed"
        note="Sends a catalogue of one item, CROSSDOCK-TEST, over HTTP with the new key, as the client's system will. Then an order of this item, which is held and never shipped."
      >
        <TestFeed clientId={clientId} apiKey={feed.apiKey} />
      </Section>
      <div className={styles.buttons}>
        <Go to={linkTo("client", clientId, clientId)}>Open client {clientId}</Go>
        <Go to="/clients">Back to the clients</Go>
      </div>
    </>
  );
}
