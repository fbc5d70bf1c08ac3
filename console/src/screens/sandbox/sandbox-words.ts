import type { components } from "#operator";
import { linkTo } from "../../links.ts";

export type Sandbox = components["schemas"]["Sandbox"];
export type SandboxFacility = Sandbox["facilities"][number];
export type Work = SandboxFacility["jobs"][number];
export type Report = SandboxFacility["reports"][number];
export type FaultName = keyof Sandbox["faults"];

export const faultWords: Readonly<Record<FaultName, readonly [label: string, meaning: string]>> = {
  shortPick: ["Short pick", "A unit is not found where it should be."],
  damage: ["Damaged goods", "Part of a receipt or a return is damaged."],
  overReceipt: ["Over-receipt", "More comes in than was ordered."],
  lateCarrier: ["Late carrier", "The parcel is delayed."],
  carrierException: ["Failed delivery", "The addressee is not at home at the first attempt."],
  lostParcel: ["Lost parcel", "The carrier loses the parcel."],
  refusedReport: ["Refused report", "The first pick is reported wrongly."],
};

/** The offered fault rates. */
export const rates = [
  { value: "0", label: "Never" },
  { value: "0.02", label: "2 in 100" },
  { value: "0.1", label: "1 in 10" },
  { value: "0.3", label: "3 in 10" },
  { value: "1", label: "Always" },
] as const;

export const paces = [
  { value: "0", label: "Paused" },
  { value: "1", label: "1×" },
  { value: "10", label: "10×" },
  { value: "60", label: "60×" },
  { value: "300", label: "300×" },
] as const;

const stepWords: Readonly<Record<string, string>> = {
  accept: "Take task",
  pick: "Pick",
  pack: "Pack",
  load: "Load",
  despatch: "Despatch",
  cancel: "Answer cancel request",
  receive: "Receive",
  "take back": "Take back and grade",
  assemble: "Assemble",
  look: "Look at the shelf",
  count: "Count",
  deliver: "Deliver",
  "110": "Collected by the carrier",
  "120": "In transit",
  "125": "Arrived at hub",
  "160": "Out for delivery",
  "165": "Delayed",
  "170": "Delivery attempted",
  "195": "Lost",
  "200": "Delivered",
};

/** A step or a report in words: `carrier event 120` is "In transit". */
export function stepWord(step: string): string {
  return stepWords[step] ?? stepWords[step.replace("carrier event ", "")] ?? step;
}

const kindWords: Readonly<Record<Work["kind"], string>> = {
  order: "Order",
  parcel: "Parcel",
  PURCHASE_ORDER: "Purchase order",
  RETURN: "Return",
  WORK_ORDER: "Work order",
  TRANSFER: "Transfer",
  COUNT: "Count",
};

export const kindWord = (kind: Work["kind"]) => kindWords[kind];

/** The page of the object. */
export function wayToWork({ kind, clientId, objectId }: Pick<Work, "kind" | "clientId" | "objectId">): string {
  switch (kind) {
    case "order":
    case "parcel":
      return linkTo(kind, clientId, objectId);
    case "PURCHASE_ORDER":
      return linkTo("purchaseOrder", clientId, objectId);
    case "RETURN":
      return linkTo("return", clientId, objectId);
    case "COUNT":
      return linkTo("count", clientId, objectId);
    case "WORK_ORDER":
      return linkTo("workOrder", clientId, objectId);
    case "TRANSFER":
      return linkTo("transfer", clientId, objectId);
  }
}

/** Result of a step as text. */
export function steppedText(
  { done, reason, text }: components["schemas"]["SandboxStepped"],
  objectId: string | undefined,
): string {
  const what = objectId ?? "The next step";
  const list = done.map(stepWord).join(", ");
  const steps = list === "" ? "" : `${what}: ${list}.`;
  switch (reason) {
    case "NOTHING_TO_DO":
      return steps || `${what}: no step is possible now. It waits for stock, is on hold, or has ended.`;
    case "REFUSED":
      return `${steps} The port refused the report: ${text ?? "no reason was given"}`.trim();
    case "SILENT":
      return `${what}: the facility is silent. Make it answer again, then step again.`;
    case "NO_ANSWER":
      return `${steps} The simulated warehouse has not answered. Check the next steps, then step again.`.trim();
    default:
      return steps;
  }
}
