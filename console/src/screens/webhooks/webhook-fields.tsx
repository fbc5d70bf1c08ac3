import { Checkbox, MultiSelect, Select, TextInput } from "@mantine/core";
import { ApiProblem, api } from "../../api.ts";
import { useData } from "../../data.ts";
import { facilityOf } from "./owner.tsx";
import { type Topics, useTopics } from "./topic-data.ts";

/** Of a webhook. */
const topicsMax = 50;

type Topic = Topics["items"][number];

/** The fields of a webhook as a user edits them. */
export interface WebhookDraft {
  readonly description: string;
  /** Topics and groups of topics, or only `*`. */
  readonly topicNames: readonly string[];
  readonly facilityCode: string;
  readonly url: string;
  readonly contentType: string;
  readonly httpSignature: boolean;
  /** Addresses, separated by commas. */
  readonly emails: string;
}

/** The fields as the API takes them; a description is left to the caller, because create and patch differ in it. */
export function bodyOf({ topicNames, facilityCode, url, contentType, httpSignature, emails }: WebhookDraft) {
  const emailList = emails
    .split(",")
    .map((address) => address.trim())
    .filter((address) => address !== "");
  const [topicName = "", ...additionalTopicNames] = topicNames;
  return {
    topicName,
    additionalTopicNames,
    facilityCode,
    url: url.trim(),
    contentType: contentType.trim(),
    httpSignature,
    emailList,
  };
}

/** Whether the required fields have values. */
export const isWhole = ({ topicNames, url }: WebhookDraft): boolean => topicNames.length > 0 && url.trim() !== "";

/** `*` contains all others: the one that was chosen last applies. */
function chosenTopics(names: readonly string[]): readonly string[] {
  return names.at(-1) === "*" ? ["*"] : names.filter((name) => name !== "*");
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
  return error instanceof ApiProblem
    ? error.errors.find(({ pointer }) => pointer.startsWith(`#/${name}`))?.message
    : undefined;
}

interface WebhookFieldsProps {
  /** Empty: not chosen yet. */
  readonly clientId: string;
  readonly draft: WebhookDraft;
  /** Why the last request was refused. */
  readonly error: Error | null;
  onChange(draft: WebhookDraft): void;
}

/** Inputs for topics, facility, address, content type, description and alert addresses of a webhook. */
export function WebhookFields({ clientId, draft, error, onChange }: WebhookFieldsProps) {
  const query = { clientId, limit: 500 };
  const ofFacility = facilityOf(clientId);
  const topics = useTopics(clientId);
  const facilities = useData(
    ["facilitiesOf", clientId],
    (signal) => api.GET("/client/facility/list", { params: { query }, signal }),
    { isReady: clientId !== "" && ofFacility === undefined },
  );
  const change = (changed: Partial<WebhookDraft>) => onChange({ ...draft, ...changed });
  const [only, ...others] = draft.topicNames;
  const topic = others.length > 0 ? undefined : topics.data?.items.find(({ topicName }) => topicName === only);
  return (
    <>
      <MultiSelect
        label="Topics"
        description={
          topic?.description ?? "Topics, groups of topics, or all. An event is sent once, however many of them name it."
        }
        required
        data={topicOptions(topics.data?.items ?? [])}
        value={[...draft.topicNames]}
        onChange={(names) => change({ topicNames: chosenTopics(names) })}
        maxValues={topicsMax}
        searchable
        error={faultAt(error, "topicName") ?? faultAt(error, "additionalTopicNames")}
      />
      <Select
        label="Facility"
        required
        disabled={ofFacility !== undefined}
        data={[
          ofFacility === undefined ? { value: "*", label: "All" } : { value: ofFacility, label: ofFacility },
          ...(facilities.data?.items ?? []).map(({ facilityCode: code, name }) => ({
            value: code,
            label: `${code} ${name}`,
          })),
        ]}
        value={draft.facilityCode}
        onChange={(value) => change({ facilityCode: value ?? "*" })}
        allowDeselect={false}
        error={faultAt(error, "facilityCode")}
      />
      <TextInput
        label="Address"
        description="http(s), without credentials. Plain http only in sandbox."
        placeholder="https://shop.example/hooks"
        required
        value={draft.url}
        onChange={(event) => change({ url: event.currentTarget.value })}
        error={faultAt(error, "url")}
      />
      <TextInput
        label="Content type"
        description="The header of each request: a JSON type, such as application/json, or text/*. The body is JSON in any case."
        required
        value={draft.contentType}
        onChange={(event) => change({ contentType: event.currentTarget.value })}
        error={faultAt(error, "contentType")}
      />
      <TextInput
        label="Description"
        description="What it is for. Shown in lists; not sent to the receiver."
        maxLength={255}
        value={draft.description}
        onChange={(event) => change({ description: event.currentTarget.value })}
        error={faultAt(error, "description")}
      />
      <TextInput
        label="Alert e-mails"
        description="Notified when the address fails. Separate several addresses by commas."
        value={draft.emails}
        onChange={(event) => change({ emails: event.currentTarget.value })}
      />
      <Checkbox
        label="Sign with the published key too (RFC 9421)"
        description="The receiver verifies by /.well-known/jwks.json and needs no shared secret."
        checked={draft.httpSignature}
        onChange={(event) => change({ httpSignature: event.currentTarget.checked })}
      />
    </>
  );
}
