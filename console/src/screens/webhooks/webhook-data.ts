import type { UseQueryResult } from "@tanstack/react-query";
import type { AnswerOf } from "../../answer-of.ts";
import { api } from "../../api.ts";
import { useData } from "../../data.ts";

export type Webhook = AnswerOf<"/client/webhook/get/{webhookId}">;

/** A webhook with its delivery status. All components share one request. */
export function useWebhook(
  clientId: string,
  webhookId: string | undefined,
  live: 10_000 | 30_000,
): UseQueryResult<Webhook, Error> {
  return useData(
    ["webhook", clientId, webhookId],
    (signal) => {
      const params = { path: { webhookId: webhookId ?? "" }, query: { clientId } };
      // The record of a facility's webhook has `*` for its clients; here clientId is the owner.
      return api.GET("/client/webhook/get/{webhookId}", { params, signal }).then((webhook) => ({
        ...webhook,
        clientId,
      }));
    },
    { live, isReady: webhookId !== undefined },
  );
}

interface Topics {
  readonly topicName: string;
  readonly additionalTopicNames: readonly string[];
}

/** All topics of a webhook, the first one first. */
export const topicsOf = ({ topicName, additionalTopicNames }: Topics): readonly string[] => [
  topicName,
  ...additionalTopicNames,
];

/** `order:*, parcel:load and 2 more`, or `everything`. @param max the number of names; the others are counted. */
export function topicsText(topics: Topics, max = Number.POSITIVE_INFINITY): string {
  const names = topicsOf(topics);
  if (names.includes("*")) return "everything";
  const more = names.length - max;
  return names.slice(0, max).join(", ") + (more > 0 ? ` and ${more} more` : "");
}

/** The name that people use for a webhook: `order:*, parcel:load → shop.example`. */
export function webhookName({ url, ...topics }: Topics & { readonly url: string }): string {
  return `${topicsText(topics, 2)} → ${hostOf(url)}`;
}

/** The receiver's host with its port; an address that is not a URL as it is. */
export const hostOf = (url: string) => (URL.canParse(url) ? new URL(url).host : url);
