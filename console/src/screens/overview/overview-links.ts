import { linkTo, pathWith } from "../../links.ts";
import { beforeLeaving, orderGroups } from "../../order-filters.ts";
import { keyOfEnds } from "../../time-range.ts";
import type { FacilityCutOff, FlowStage } from "./overview-data.ts";

type StageName = FlowStage["stage"];

const byTimeLeft = { sort: "despatchBy" } as const;
const notPacked = beforeLeaving.filter((state) => state !== "PACKED").join(",");
const left = "DESPATCHED,DELIVERED,RETURNED_TO_SENDER";
/** Stands for an unknown carrier. */
const noCarrier = "NONE";

/** Links of the overview's figures: lists with exactly the counted rows. Paths below /console. */
export const linksOf = {
  /** Orders that have not left, by due time. */
  open: pathWith("/orders", { status: orderGroups.open, ...byTimeLeft }),
  atRisk: (stage?: StageName) => pathWith("/orders", { stage, isAtRisk: "true", ...byTimeLeft }),
  late: (stage?: StageName) => pathWith("/orders", { stage, isLate: "true", ...byTimeLeft }),
  stage: (stage: StageName) => pathWith("/orders", { stage }),
  /** The orders of a stage, by time of receipt. */
  oldest: (stage: StageName) => pathWith("/orders", { stage, sort: "receivedAt" }),
  /** Orders of a stage between two ages, in seconds before a given time. */
  age: (stage: StageName, asOf: string, { over, upTo }: { over: number | null; upTo: number | null }) =>
    pathWith("/orders", {
      stage,
      range: keyOfEnds(upTo === null ? "" : before(asOf, upTo), over === null ? "" : before(asOf, over)),
    }),
  /** Orders of a cut-off board. @param carrier null: unknown carrier; undefined: all carriers */
  cutOff(
    { distributionCentre: facility, cutOffAt, cutOffBefore }: FacilityCutOff,
    part: "waiting" | "packed" | "done" | "atRisk" | "late",
    carrier: string | null | undefined,
  ): string {
    const leavesWith = carrier === null ? noCarrier : carrier;
    const due = { facility, leavesWith, dueBy: cutOffAt, ...byTimeLeft };
    switch (part) {
      case "waiting":
        return pathWith("/orders", { ...due, status: notPacked });
      case "packed":
        return pathWith("/orders", { ...due, status: "PACKED" });
      case "atRisk":
        return pathWith("/orders", { ...due, isAtRisk: "true" });
      case "late":
        return pathWith("/orders", { ...due, isLate: "true" });
      case "done":
        return pathWith("/orders", { facility, leavesWith, dueAt: cutOffAt, leftSince: cutOffBefore, status: left });
    }
  },
  /** Orders of a day in the time zone of their facility. */
  day: (what: "received" | "despatched" | "delivered", day: string) =>
    pathWith("/orders", what === "despatched" ? { despatched: keyOfEnds(day, day) } : { [`${what}On`]: day }),
  facility: (facility: string) => linkTo("facility", "", facility),
  exceptions: "/exceptions",
  exceptionsOf: (type: string) => pathWith("/exceptions", { type }),
  /** Feeds received between two times, ISO 8601. */
  feeds: (receivedFrom: string, receivedTo: string, outcome: "ACCEPTED" | "REJECTED") =>
    pathWith("/feeds", { range: keyOfEnds(receivedFrom, receivedTo), outcome }),
  webhooks: (status: string) => pathWith("/webhooks", { status, kind: "WEBHOOK" }),
  /** @param clientId undefined: of all clients in the scope */
  webhooksOf: (clientId: string | undefined) => pathWith("/webhooks", { client: clientId, kind: "WEBHOOK" }),
  waitingDeliveries: pathWith("/webhooks/undelivered", { status: "WAITING" }),
  /** Deliveries that were given up within the day before a given time. */
  givenUp: (asOf: string) =>
    pathWith("/webhooks/undelivered", { status: "FAILED", endedSince: before(asOf, daySeconds) }),
  backordered: "/inventory?tab=backordered",
  onHold: "/inventory?isOnHold=true",
  expiry: (only: "EXPIRED" | "EXPIRED_ALLOCATED" | "EXPIRING") => pathWith("/inventory", { tab: "expiry", only }),
} as const;

const daySeconds = 86_400;
const before = (at: string, seconds: number) => new Date(Date.parse(at) - seconds * 1000).toISOString();
