import type { components } from "#operator";
import { useClients, useFacilities } from "../../directory.ts";
import { type Field, listOf, type Values } from "../../parts/fields.tsx";
import { optionsOf } from "../../parts/options.ts";
import { exceptionTypes, typeWords } from "../exceptions/exception-words.ts";

export type Rule = components["schemas"]["NotificationRule"];
type Changes = components["schemas"]["NotificationRulePatch"];

const channelWords: Readonly<Record<Rule["channel"], string>> = {
  MAIL: "Mail",
  WEBHOOK: "Signed webhook",
  SLACK: "Slack",
};

const kindWords: Readonly<Record<string, string>> = {
  ...Object.fromEntries(exceptionTypes.map((type) => [type, typeWords[type].label])),
  RECEIVER_FAILING: "Receiver failing",
  LOW_STOCK: "Low stock",
};

/** "Order late, Low stock", "all kinds, severe". */
export function selectionText({ kinds, severity }: Rule): string {
  const named = kinds.length === 0 ? "All kinds" : kinds.map((kind) => kindWords[kind] ?? kind).join(", ");
  return severity === "SEVERE" ? `${named}; severe only` : named;
}

export const placesText = ({ clientIds, facilityCodes }: Rule): string =>
  [...clientIds, ...facilityCodes].join(", ") || "all";

/** "Daily at 08:00, quiet 22:00–06:00". */
export function whenText({ schedule, dailyAt, quietFrom, quietUntil, timeZone }: Rule): string {
  const times = { AT_ONCE: "At once", HOURLY: "Hourly", DAILY: `Daily at ${dailyAt}` };
  const quiet = quietFrom === null ? "" : `, quiet ${quietFrom}–${quietUntil}`;
  return `${times[schedule]}${quiet}${schedule === "DAILY" || quiet !== "" ? ` (${timeZone})` : ""}`;
}

/** "Mail: ops@example.com". */
export const recipientText = ({ channel, addresses, shownUrl }: Rule): string =>
  `${channelWords[channel]}: ${shownUrl ?? addresses.join(", ")}`;

/** Inputs of an existing or a new rule. */
export function useRuleFields(rule?: Rule): readonly Field[] {
  const clients = useClients();
  const facilities = useFacilities();
  const isMail = rule === undefined || rule.channel === "MAIL";
  const isHook = rule === undefined || rule.channel !== "MAIL";
  const only = "None selected: all.";
  return [
    { name: "name", label: "Name", isRequired: true, placeholder: "Late orders, Leeds", initial: rule?.name ?? "" },
    ...(rule === undefined
      ? [
          {
            name: "channel",
            label: "Channel",
            kind: "select" as const,
            isRequired: true,
            initial: "MAIL",
            options: optionsOf(channelWords),
          },
        ]
      : []),
    ...(isMail
      ? [
          {
            name: "addresses",
            label: "Mail addresses",
            kind: "lines" as const,
            description: "For mail: one on each line.",
            initial: (rule?.addresses ?? []).join("\n"),
          },
        ]
      : []),
    ...(isHook
      ? [
          {
            name: "url",
            label: "URL",
            placeholder: "https://hooks.example.com/alerts",
            description: rule
              ? `${rule.shownUrl} is stored. Empty: it stays.`
              : "For a webhook or Slack. Not shown again.",
          },
        ]
      : []),
    {
      name: "kinds",
      label: "Kinds",
      kind: "several",
      description: only,
      initial: (rule?.kinds ?? []).join(","),
      options: optionsOf(kindWords),
    },
    {
      name: "severity",
      label: "Severity",
      kind: "select",
      isRequired: true,
      initial: rule?.severity ?? "ANY",
      options: optionsOf({ ANY: "All", SEVERE: "Only what failed or is late" }),
    },
    {
      name: "clientIds",
      label: "Clients",
      kind: "several",
      description: only,
      initial: (rule?.clientIds ?? []).join(","),
      options: clients.map(({ clientId }) => ({ value: clientId, label: clientId })),
    },
    {
      name: "facilityCodes",
      label: "Facilities",
      kind: "several",
      description: `${only} With one, kinds of no facility, such as rejected feeds, are left out.`,
      initial: (rule?.facilityCodes ?? []).join(","),
      options: facilities.map(({ facilityCode }) => ({ value: facilityCode, label: facilityCode })),
    },
    {
      name: "schedule",
      label: "When",
      kind: "select",
      isRequired: true,
      initial: rule?.schedule ?? "AT_ONCE",
      options: optionsOf({ AT_ONCE: "At once", HOURLY: "Hourly digest", DAILY: "Daily digest" }),
    },
    { name: "dailyAt", label: "Time of a daily digest", placeholder: "08:00", initial: rule?.dailyAt ?? "" },
    { name: "quietFrom", label: "Quiet from", placeholder: "22:00", initial: rule?.quietFrom ?? "" },
    { name: "quietUntil", label: "Quiet until", placeholder: "06:00", initial: rule?.quietUntil ?? "" },
    {
      name: "timeZone",
      label: "Time zone",
      isRequired: true,
      initial: rule?.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
    },
    {
      name: "remindHours",
      label: "Remind after hours",
      kind: "number",
      description: "What lasts is reported again. 0: once.",
      initial: String(rule === undefined ? 24 : (rule.remindHours ?? 0)),
    },
  ];
}

/** The field values in the form of the API. */
export function changesOf(values: Values): Changes & { readonly name: string } {
  const { name = "", addresses = "", url = "", kinds = "", clientIds = "", facilityCodes = "", ...rest } = values;
  const { dailyAt = "", quietFrom = "", quietUntil = "", timeZone = "", remindHours = "" } = rest;
  const lines = addresses.split("\n").flatMap((line) => line.trim() || []);
  return {
    name: name.trim(),
    ...(values.addresses === undefined ? {} : { addresses: lines }),
    ...(url.trim() === "" ? {} : { url: url.trim() }),
    kinds: listOf(kinds) as Rule["kinds"],
    severity: rest.severity as Rule["severity"],
    clientIds: listOf(clientIds),
    facilityCodes: listOf(facilityCodes),
    schedule: rest.schedule as Rule["schedule"],
    dailyAt: dailyAt.trim(),
    quietFrom: quietFrom.trim(),
    quietUntil: quietUntil.trim(),
    timeZone: timeZone.trim(),
    remindHours: Number(remindHours || 0),
  };
}
