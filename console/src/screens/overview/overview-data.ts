import type { components } from "#operator";
import { api, unwrap } from "../../api.ts";
import { useData } from "../../data.ts";
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
  const load = (signal: AbortSignal) => unwrap(api.GET("/overview/flow", { params: { query }, signal }));
  return useData(["overview", "flow", query], load, { live: often });
}

export function useCutOffs() {
  const { query } = useScope();
  const load = (signal: AbortSignal) => unwrap(api.GET("/overview/cutOff", { params: { query }, signal }));
  return useData(["overview", "cutOff", query], load, { live: often });
}

/**
 * @param minutes length of the period
 * @param to its end, in ISO 8601; default now
 */
export function useFeedRates(minutes: number, to?: string) {
  const { query } = useScope();
  const parameters = { ...query, minutes, ...(to === undefined ? {} : { to }) };
  const load = (signal: AbortSignal) => unwrap(api.GET("/overview/feeds", { params: { query: parameters }, signal }));
  return useData(["overview", "feeds", parameters], load, { live: now, isReady: useSession().facilityCodes === null });
}

export function useWebhookHealth() {
  const { query } = useScope();
  const load = (signal: AbortSignal) => unwrap(api.GET("/overview/webhooks", { params: { query }, signal }));
  return useData(["overview", "webhooks", query], load, { live: now, isReady: useSession().facilityCodes === null });
}

export function useStockHealth() {
  const { query } = useScope();
  const load = (signal: AbortSignal) => unwrap(api.GET("/overview/stock", { params: { query }, signal }));
  return useData(["overview", "stock", query], load, { live: seldom });
}

export function useTrends() {
  const { query } = useScope();
  const load = (signal: AbortSignal) => unwrap(api.GET("/overview/trends", { params: { query }, signal }));
  return useData(["overview", "trends", query], load, { live: seldom });
}

export function useExceptionCounts() {
  const { query } = useScope();
  const load = (signal: AbortSignal) => unwrap(api.GET("/exception/summary", { params: { query }, signal }));
  return useData(["overview", "exceptions", query], load, { live: now });
}
