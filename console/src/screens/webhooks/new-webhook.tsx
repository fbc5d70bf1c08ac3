import { Button, Select, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import type { AnswerOf } from "../../answer-of.ts";
import { ApiProblem, api, unwrap } from "../../api.ts";
import { useData } from "../../data.ts";
import { useClients } from "../../directory.ts";
import { linkTo } from "../../links.ts";
import { Empty } from "../../parts/empty.tsx";
import { Go } from "../../parts/go.tsx";
import { sentenceOf } from "../../parts/problem.tsx";
import { Screen, Section } from "../../parts/screen.tsx";
import { useScope } from "../../scope.ts";
import { useMay } from "../../session.tsx";
import styles from "../clients/clients.module.css";

type Topic = AnswerOf<"/client/webhook/topics">["items"][number];

interface Made {
  readonly clientId: string;
  readonly webhookId: string;
  readonly signingSecret: string;
}

/** Creates a webhook for a client; its signing secret is shown once. */
export function NewWebhook() {
  const [made, setMade] = useState<Made>();
  const mayAdd = useMay("operator");
  return (
    <Screen title="Add webhook" lead="The receiver must answer with a 2xx status within 15 seconds.">
      <div className={`${styles.narrow} ${styles.form}`}>
        {mayAdd ? (
          made ? (
            <Secret made={made} />
          ) : (
            <WebhookForm onMade={setMade} />
          )
        ) : (
          <Empty why="A viewer cannot add webhooks." />
        )}
      </div>
    </Screen>
  );
}

function Secret({ made: { clientId, webhookId, signingSecret } }: { readonly made: Made }) {
  return (
    <Section title="Signing secret">
      <p className={styles.once}>Shown only now. Give it to the client over a private channel.</p>
      <pre className={styles.block}>{signingSecret}</pre>
      <div className={styles.buttons}>
        <Go to={linkTo("webhook", clientId, webhookId)}>Open the webhook and send a test call</Go>
      </div>
    </Section>
  );
}

/** All topics, their groups, and each single topic. */
function topicOptions(topics: readonly Topic[]) {
  const groups = [...new Set(topics.map(({ topicName }) => topicName.split(":")[0] ?? ""))];
  return [
    { value: "*", label: "All events" },
    ...groups.map((group) => ({ value: `${group}:*`, label: `${group}:* (all of ${group})` })),
    ...topics.map(({ topicName }) => ({ value: topicName, label: topicName })),
  ];
}

function faultAt(error: unknown, name: string): string | undefined {
  return error instanceof ApiProblem ? error.errors.find(({ pointer }) => pointer === `#/${name}`)?.message : undefined;
}

function WebhookForm({ onMade }: { readonly onMade: (made: Made) => void }) {
  const clients = useClients();
  const chosen = useScope().clientId;
  const [selected, setClientId] = useState<string>();
  const clientId = selected ?? chosen ?? (clients.length === 1 ? clients[0]?.clientId : undefined) ?? "";
  const [topicName, setTopicName] = useState("*");
  const [facilityCode, setFacilityCode] = useState("*");
  const [url, setUrl] = useState("");
  const [emails, setEmails] = useState("");
  const query = { clientId, limit: 500 };
  const topics = useData(
    ["topics", clientId],
    (signal) => unwrap(api.GET("/client/webhook/topics", { params: { query }, signal })),
    { isReady: clientId !== "" },
  );
  const facilities = useData(
    ["facilitiesOf", clientId],
    (signal) => unwrap(api.GET("/client/facility/list", { params: { query }, signal })),
    { isReady: clientId !== "" },
  );
  const making = useMutation({
    mutationFn: () => {
      const emailList = emails
        .split(",")
        .map((address) => address.trim())
        .filter((address) => address !== "");
      const body = { clientId, topicName, facilityCode, url: url.trim(), contentType: "application/json", emailList };
      return unwrap(api.POST("/client/webhook/create", { params: { query: { clientId } }, body }));
    },
    onSuccess: ({ webhookId, signingSecret }) => onMade({ clientId, webhookId, signingSecret }),
  });
  const { error } = making;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    making.mutate();
  };
  const topic = topics.data?.items.find((item) => item.topicName === topicName);
  return (
    <Section title="Address and topics">
      <form onSubmit={submit} className={styles.form}>
        <Select
          label="Client"
          required
          data={clients.map((client) => ({ value: client.clientId, label: `${client.clientId} ${client.name}` }))}
          value={clientId === "" ? null : clientId}
          onChange={(value) => setClientId(value ?? "")}
          searchable
          allowDeselect={false}
        />
        <Select
          label="Topic"
          description={topic?.description ?? "One topic, a group of topics, or all."}
          required
          data={topicOptions(topics.data?.items ?? [])}
          value={topicName}
          onChange={(value) => setTopicName(value ?? "*")}
          searchable
          allowDeselect={false}
          error={faultAt(error, "topicName")}
        />
        <Select
          label="Facility"
          required
          data={[
            { value: "*", label: "All" },
            ...(facilities.data?.items ?? []).map(({ facilityCode: code, name }) => ({
              value: code,
              label: `${code} ${name}`,
            })),
          ]}
          value={facilityCode}
          onChange={(value) => setFacilityCode(value ?? "*")}
          allowDeselect={false}
          error={faultAt(error, "facilityCode")}
        />
        <TextInput
          label="Address"
          description="http(s), without credentials. Plain http only in sandbox."
          placeholder="https://shop.example/hooks"
          required
          value={url}
          onChange={(event) => setUrl(event.currentTarget.value)}
          error={faultAt(error, "url")}
        />
        <TextInput
          label="Alert e-mails"
          description="Notified when the address fails. Separate several addresses by commas."
          value={emails}
          onChange={(event) => setEmails(event.currentTarget.value)}
        />
        {error === null ? null : (
          <p role="alert" className={styles.fault}>
            {sentenceOf(error)}
          </p>
        )}
        <div className={styles.buttons}>
          <Button type="submit" size="xs" loading={making.isPending} disabled={clientId === "" || url.trim() === ""}>
            Create webhook and show its secret
          </Button>
          <Go to="/webhooks">Back to the webhooks</Go>
        </div>
      </form>
    </Section>
  );
}
