import type { BulkAction } from "../../parts/list/data-list.tsx";
import { type Cause, type CauseQuery, exceptionsText, membersOf } from "./cause-words.ts";
import { assign, cureAll, ownerField, remark, resolve, snooze, snoozeFields, snoozeText } from "./exception-actions.ts";
import { countOf, type Exception } from "./exception-words.ts";
import { snoozeEnd } from "./snooze-times.ts";

/** Effects of the selected actions: "3 × Release order, 2 × Replay delivery". */
function cureWords(rows: readonly Exception[]): string {
  const verbs = Map.groupBy(rows, ({ cure }) => cure.operation?.verb);
  const done = [...verbs].flatMap(([verb, rowsOfVerb]) => (verb === undefined ? [] : `${rowsOfVerb.length} × ${verb}`));
  const others = verbs.get(undefined)?.length ?? 0;
  const rest =
    others === 0 ? "" : ` ${countOf(Array(others))} can only be viewed and ${others === 1 ? "is" : "are"} skipped.`;
  return done.length === 0 ? `No action applies to all of them.${rest}` : `${done.join(", ")}.${rest}`;
}

const assignedToYou = "The exceptions are assigned to you.";

/** @param owner empty: no one */
function assignTo(rows: readonly Exception[], owner: string): Promise<void> {
  return owner === ""
    ? assign(rows, null, "The exceptions are unassigned.")
    : assign(rows, owner, `The exceptions are assigned to ${owner}.`);
}

/**
 * Actions on the selected exceptions.
 * @param userName the signed-in user
 * @param owners users to whom they can be assigned
 * @param isOfSnoozed the list shows snoozed exceptions
 */
export const exceptionBulk = (
  userName: string,
  owners: readonly string[],
  isOfSnoozed: boolean,
): readonly BulkAction<Exception>[] => [
  { verb: "Assign to me", run: (rows) => assign(rows, userName, assignedToYou) },
  {
    verb: "Assign to",
    confirm: (rows) => ({ title: `Assign ${countOf(rows)}`, text: undefined }),
    fields: [ownerField(owners)],
    run: (rows, { owner = "" }) => assignTo(rows, owner),
  },
  {
    verb: "Note",
    fields: [
      {
        name: "note",
        label: "Note",
        kind: "lines",
        description: "Visible to all users. Leave empty to remove the note.",
      },
    ],
    run: (rows, { note = "" }) => remark(rows, note),
  },
  {
    verb: "Snooze",
    confirm: (rows) => ({ title: `Snooze ${countOf(rows)}`, text: snoozeText }),
    fields: snoozeFields(),
    run: (rows, values) => snooze(rows, snoozeEnd(values, new Date())),
    done: "The exceptions are snoozed.",
  },
  ...(isOfSnoozed
    ? [
        {
          verb: "End snooze",
          run: (rows: readonly Exception[]) => snooze(rows, undefined),
          done: "The exceptions are open again.",
        },
      ]
    : []),
  {
    verb: "Cure",
    confirm: (rows) => ({ title: `Cure ${countOf(rows)}`, text: cureWords(rows) }),
    run: (rows) => cureAll(rows.filter(({ cure }) => cure.operation !== null)),
  },
  {
    verb: "Resolve",
    confirm: (rows) => ({
      title: `Resolve ${countOf(rows)}`,
      text: "They are hidden until they occur again. Their causes are not fixed by this.",
    }),
    fields: [{ name: "reason", label: "Why no action is needed", isRequired: true }],
    run: async (rows, { reason = "" }) => resolve(rows, reason),
  },
];

/**
 * The same actions on all exceptions of the selected causes.
 * @param query the filters of the list
 */
export const causeBulk = (
  userName: string,
  owners: readonly string[],
  query: CauseQuery,
): readonly BulkAction<Cause>[] => [
  {
    verb: "Assign to me",
    run: async (rows) => assign(await membersOf(rows, query), userName, assignedToYou),
  },
  {
    verb: "Assign to",
    confirm: (rows) => ({ title: `Assign ${exceptionsText(rows)}`, text: undefined }),
    fields: [ownerField(owners)],
    run: async (rows, { owner = "" }) => assignTo(await membersOf(rows, query), owner),
  },
  {
    verb: "Snooze",
    confirm: (rows) => ({ title: `Snooze ${exceptionsText(rows)}`, text: snoozeText }),
    fields: snoozeFields(),
    run: async (rows, values) => {
      const until = snoozeEnd(values, new Date());
      return snooze(await membersOf(rows, query), until);
    },
    done: "The exceptions are snoozed.",
  },
  ...(query.isSnoozed === true
    ? [
        {
          verb: "End snooze",
          run: async (rows: readonly Cause[]) => snooze(await membersOf(rows, query), undefined),
          done: "The exceptions are open again.",
        },
      ]
    : []),
  {
    verb: "Resolve",
    confirm: (rows) => ({
      title: `Resolve ${exceptionsText(rows)}`,
      text: "They are hidden until they occur again. Their causes are not fixed by this.",
    }),
    fields: [{ name: "reason", label: "Why no action is needed", isRequired: true }],
    run: async (rows, { reason = "" }) => resolve(await membersOf(rows, query), reason),
  },
];
