import { notifications } from "@mantine/notifications";
import { ApiProblem, api, request } from "../../api.ts";
import { useAnswer } from "../../data.ts";
import { afterGrace, notifyUndoable } from "../../parts/actions/undo.tsx";
import type { Field } from "../../parts/fields.tsx";
import { useMay } from "../../session.tsx";
import { countOf, type Exception, nameOf } from "./exception-words.ts";

/** Maximum per request of the service. */
const atOnce = 200;
/** Maximum number of rejections in a message. The others stay in the list. */
const namedMax = 5;

const idsOf = (rows: readonly Exception[]) => rows.map(({ exceptionId }) => exceptionId);

async function inParts(rows: readonly Exception[], send: (exceptionIds: string[]) => Promise<unknown>): Promise<void> {
  for (let from = 0; from < rows.length; from += atOnce) await send(idsOf(rows.slice(from, from + atOnce)));
}

function setOwner(rows: readonly Exception[], owner: string | null): Promise<void> {
  const whose = owner === null ? {} : { owner };
  return inParts(rows, (exceptionIds) => api.POST("/exception/assign", { body: { exceptionIds, ...whose } }));
}

/**
 * Assigns exceptions, and offers to give each back to its previous owner.
 * @param owner null: no one
 * @param done success message
 */
export async function assign(rows: readonly Exception[], owner: string | null, done: string): Promise<void> {
  await setOwner(rows, owner);
  notifyUndoable(done, async () => {
    for (const [previous, rowsOfOwner] of Map.groupBy(rows, (row) => row.owner)) await setOwner(rowsOfOwner, previous);
  });
}

/** Users to whom exceptions can be assigned; empty while loading. */
export function useOwners(): readonly string[] {
  const mayWork = useMay("operator");
  return useAnswer("/exception/owners", {}, { isReady: mayWork }).data?.items ?? [];
}

/** Input of the new owner. */
export const ownerField = (owners: readonly string[], initial = ""): Field => ({
  name: "owner",
  label: "Owner",
  kind: "select",
  initial,
  description: "An operator or an admin. Empty: unassigned.",
  options: owners.map((value) => ({ value, label: value })),
});

const zone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Inputs of the time: presets, or a day. */
export const snoozeFields = (): readonly Field[] => [
  {
    name: "time",
    label: "Until",
    kind: "select",
    isRequired: true,
    initial: "tomorrow",
    options: [
      { value: "1", label: "In 1 hour" },
      { value: "4", label: "In 4 hours" },
      { value: "tomorrow", label: "Tomorrow, 08:00" },
      { value: "day", label: "A day, 08:00" },
    ],
    description: `Times are in your time zone, ${zone()}.`,
  },
  { name: "day", label: "Day", kind: "date", description: "Only for “A day”; at most 60 days from now." },
];

/** Effect of a snooze, in its dialog. */
export const snoozeText =
  "Not open and not counted until then; the filter Snoozed shows what is snoozed. It comes back by itself, and a new occurrence is open at once.";

/** @param note an empty note removes the existing one */
export function remark(rows: readonly Exception[], note: string): Promise<void> {
  const noteFields = note.trim() === "" ? {} : { note: note.trim() };
  return inParts(rows, (exceptionIds) => api.POST("/exception/note", { body: { exceptionIds, ...noteFields } }));
}

/** @param until ISO 8601; undefined ends the snooze */
export function snooze(rows: readonly Exception[], until: string | undefined): Promise<void> {
  const end = until === undefined ? {} : { until };
  return inParts(rows, (exceptionIds) => api.POST("/exception/snooze", { body: { exceptionIds, ...end } }));
}

/** Resolves exceptions after a grace: some of them end for good. */
export function resolve(rows: readonly Exception[], reason: string): void {
  const isOne = rows.length === 1;
  afterGrace({
    message: `${countOf(rows)} ${isOne ? "is" : "are"} resolved in 5 seconds.`,
    done: isOne ? "The exception is dismissed." : "The exceptions are dismissed.",
    failed: isOne ? "The exception was not resolved" : "The exceptions were not resolved",
    run: () => inParts(rows, (exceptionIds) => api.POST("/exception/resolve", { body: { exceptionIds, reason } })),
  });
}

/** Sends a rejected report again, ignoring the holds of its order. */
export function forceReport({ exceptionId }: Exception): Promise<unknown> {
  const params = { path: { exceptionId } };
  return api.POST("/exception/retry/{exceptionId}", { params, body: { isForced: true } });
}

/** Runs the operation that resolves an exception; the operation belongs to another screen. */
export async function cure({ cure: { operation } }: Exception): Promise<void> {
  if (operation === null) return;
  const { method, path, body } = operation;
  await request(path, {
    method,
    ...(body === null ? {} : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
  });
}

/**
 * Resolves many exceptions one after the other. Each rejection is reported with its reason and does not stop the
 * others.
 */
export async function cureAll(rows: readonly Exception[]): Promise<void> {
  const refusals: string[] = [];
  for (const row of rows) {
    await cure(row).catch((error: unknown) => {
      if (!(error instanceof ApiProblem) || error.status === 0 || error.status === 401) throw error;
      refusals.push(`${nameOf(row)}: ${error.detail}`);
    });
  }
  const more = refusals.length > namedMax ? [`and ${refusals.length - namedMax} more`] : [];
  notifications.show({
    title: `${rows.length - refusals.length} of ${countOf(rows)} done`,
    message: [...refusals.slice(0, namedMax), ...more].join(" · "),
    color: refusals.length === 0 ? "green" : "red",
    autoClose: refusals.length === 0 ? 5_000 : false,
    closeButtonProps: { "aria-label": "Dismiss" },
  });
}
