import { Button, Group, Modal, Select, Stack, Text, Textarea } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { AnswerOf } from "../../answer-of.ts";
import { api } from "../../api.ts";
import { useAnswer, useData } from "../../data.ts";
import { useTimezone } from "../../directory.ts";
import { useReason } from "../../parts/actions/action-reasons.tsx";
import { Form, Refusal } from "../../parts/form.tsx";
import { sentenceOf } from "../../parts/loading/problem.tsx";
import { exactTime } from "../../parts/time.tsx";
import { useMay } from "../../session.tsx";
import { useTopics } from "./topic-data.ts";
import { topicsOf, type Webhook } from "./webhook-data.ts";

export type TestOutcome = AnswerOf<"/client/webhook/test/{webhookId}", "post">;

const verb = "Send test call";

interface TestCallProps {
  readonly webhook: Webhook;
  readonly whyNot: string | undefined;
  onTest(outcome: TestOutcome): void;
}

/** Sends a test call for one of the webhook's topics, with a sample, the data of a recent event, or edited data. */
export function TestCall({ webhook, whyNot, onTest }: TestCallProps) {
  const [isOpen, setOpen] = useState(false);
  const mayDo = useMay("operator", true);
  useReason(verb, mayDo ? whyNot : undefined);
  if (!mayDo) return null;
  const close = () => setOpen(false);
  return (
    <>
      <Button size="xs" variant="default" disabled={whyNot !== undefined} title={whyNot} onClick={() => setOpen(true)}>
        {verb}
      </Button>
      <Modal opened={isOpen} onClose={close} title={verb} size="lg">
        {isOpen ? <TestForm webhook={webhook} close={close} onTest={onTest} /> : null}
      </Modal>
    </>
  );
}

/** Of the deliveries of a topic: so many are offered, the newest. */
const offeredMax = 10;

function TestForm({ webhook, close, onTest }: Omit<TestCallProps, "whyNot"> & { close(): void }) {
  const { clientId, webhookId } = webhook;
  const timezone = useTimezone();
  const topics = useTopics(clientId);
  const names = topicChoices(topicsOf(webhook), topics.data?.items.map(({ topicName }) => topicName) ?? []);
  const [topicName, setTopicName] = useState(webhook.topicName);
  /** Empty: the sample of the topic. */
  const [deliveryId, setDeliveryId] = useState("");
  const [edited, setEdited] = useState<string>();
  const query = { clientId, topicName, sort: "-receivedAt" as const, limit: offeredMax };
  const recent = useData(["recentDeliveries", clientId, webhookId, topicName], (signal) =>
    api.GET("/client/webhook/deliveries/{webhookId}", { params: { path: { webhookId }, query }, signal }),
  );
  const chosen = useAnswer(
    "/client/webhook/delivery/{deliveryId}",
    { path: { deliveryId }, query: { clientId } },
    { isReady: deliveryId !== "" },
  );
  const event = chosen.data?.deliveryId === deliveryId ? chosen.data : undefined;
  const sample = topics.data?.items.find((topic) => matches(topicName, topic.topicName))?.sample.data;
  const data = deliveryId === "" ? sample : event?.payload?.data;
  const text = edited ?? (data === undefined ? "" : JSON.stringify(data, null, 2));
  const editedData = edited === undefined ? undefined : readObject(edited);
  const isGone = event?.payload === null;
  const sending = useMutation({
    mutationFn: () => {
      const about = event === undefined ? { topicName } : { eventId: event.eventId };
      const body = edited === undefined ? about : { ...about, sample: editedData ?? {} };
      return api.POST("/client/webhook/test/{webhookId}", {
        params: { path: { webhookId }, query: { clientId } },
        body,
      });
    },
    onSuccess: (outcome) => {
      close();
      onTest(outcome);
    },
  });
  const faultOfData = edited !== undefined && editedData === undefined ? "This is not a JSON object." : undefined;
  return (
    <Form submit={() => sending.mutate()}>
      <Stack gap="md">
        <Text component="div">
          The type of the test is webhook:test whatever the topic, so that no receiver takes it for an event.
        </Text>
        <Refusal text={sending.error && sentenceOf(sending.error)} />
        <Select
          label="Topic"
          description="One that the webhook receives."
          data={names}
          value={topicName}
          onChange={(name) => {
            setTopicName(name ?? webhook.topicName);
            setDeliveryId("");
            setEdited(undefined);
          }}
          searchable={names.length > 8}
          allowDeselect={false}
        />
        <Select
          label="Data"
          description="A sample, or the data of one of the newest deliveries of the topic."
          data={[
            { value: "", label: "Sample of the topic" },
            ...(recent.data?.items ?? []).map((delivery) => ({
              value: delivery.deliveryId,
              label: `${delivery.topicName} for ${delivery.objectId}, ${exactTime(delivery.createdAt, timezone)}`,
            })),
          ]}
          value={deliveryId}
          onChange={(id) => {
            setDeliveryId(id ?? "");
            setEdited(undefined);
          }}
          allowDeselect={false}
          error={isGone ? "The event is no longer stored: events are deleted after 90 days." : undefined}
        />
        <Textarea
          label="Sample"
          description="What the test has in data.sample. You may edit it."
          value={text}
          onChange={(change) => setEdited(change.currentTarget.value)}
          autosize
          minRows={6}
          maxRows={16}
          spellCheck={false}
          styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)" } }}
          error={faultOfData}
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button
            type="submit"
            loading={sending.isPending}
            disabled={faultOfData !== undefined || (edited === undefined && data === undefined)}
          >
            {verb}
          </Button>
        </Group>
      </Stack>
    </Form>
  );
}

const matches = (pattern: string, name: string) =>
  pattern === "*" || pattern === name || (pattern.endsWith(":*") && name.startsWith(pattern.slice(0, -1)));

/** Topics that the webhook names, in its order, then the single topics of its groups. */
function topicChoices(patterns: readonly string[], names: readonly string[]): string[] {
  const single = names.filter((name) => patterns.some((pattern) => matches(pattern, name)));
  return [...new Set([...patterns, ...single])];
}

function readObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return value !== null && typeof value === "object" && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
