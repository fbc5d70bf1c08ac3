import type { components } from "#operator";
import { useAnswer } from "../../data.ts";
import { useScope } from "../../scope.ts";
import { useSession } from "../../session.tsx";

type Schemas = components["schemas"];
export type Flow = Schemas["OrderFlow"];
export type FlowStage = Schemas["FlowStage"];
export type CutOffBoard = Schemas["CutOffBoard"];
export type FacilityCutOff = Schemas["FacilityCutOff"];
export type FeedRates = Schemas["FeedRates"];
export type WebhookHealth = Schemas["WebhookHealth"];
export type StockHealth = Schemas["StockHealth"];
export type Trends = Schemas["OrderTrends"];

/** Polling intervals. Data that changes with every order is read every five seconds, other data less often. */
const [often, now, seldom] = [5_000, 10_000, 30_000] as const;

export function useFlow() {
  const { query } = useScope();
  return useAnswer("/overview/flow", { query }, { live: often });
}

export function useCutOffs() {
  const { query } = useScope();
  return useAnswer("/overview/cutOff", { query }, { live: often });
}

/**
 * @param minutes length of the period
 * @param to its end, in ISO 8601; default now
 */
export function useFeedRates(minutes: number, to?: string) {
  const { query } = useScope();
  const parameters = { ...query, minutes, ...(to === undefined ? {} : { to }) };
  return useAnswer(
    "/overview/feeds",
    { query: parameters },
    { live: now, isReady: useSession().facilityCodes === null },
  );
}

export function useWebhookHealth() {
  const { query } = useScope();
  return useAnswer("/overview/webhooks", { query }, { live: now, isReady: useSession().facilityCodes === null });
}

export function useStockHealth() {
  const { query } = useScope();
  return useAnswer("/overview/stock", { query }, { live: seldom });
}

export function useTrends() {
  const { query } = useScope();
  return useAnswer("/overview/trends", { query }, { live: seldom });
}

export function useExceptionCounts() {
  const { query } = useScope();
  return useAnswer("/exception/summary", { query }, { live: now });
}
