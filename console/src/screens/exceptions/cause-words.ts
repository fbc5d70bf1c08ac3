import type { components, operations } from "#operator";
import { api } from "../../api.ts";
import { type Exception, isSnoozed } from "./exception-words.ts";

export type Cause = components["schemas"]["ExceptionCause"];
/** The query of the causes without its sort: an action on their exceptions has the same filters. */
export type CauseQuery = Omit<NonNullable<operations["listExceptionCauses"]["parameters"]["query"]>, "sort">;

/** Several exceptions in one row, not a single one. */
export const isShared = ({ causeId, count, isMore }: Cause): boolean => causeId !== null && (count > 1 || isMore);

/** "412", "500+". */
export const countText = ({ count, isMore }: Pick<Cause, "count" | "isMore">): string =>
  `${count.toLocaleString("en-GB")}${isMore ? "+" : ""}`;

/** "412 exceptions", "500+ exceptions", "1 exception". */
export function exceptionsText(causes: readonly Cause[]): string {
  const count = causes.reduce((sum, cause) => sum + cause.count, 0);
  const isMore = causes.some((cause) => cause.isMore);
  return count === 1 && !isMore ? "1 exception" : `${countText({ count, isMore })} exceptions`;
}

/** The rows of a cause, one by one. */
export function membersPath({ causeId, objectName, newest }: Cause): string {
  const { clientId } = newest;
  const snoozed = isSnoozed(newest) ? { isSnoozed: "true" } : {};
  const query = new URLSearchParams({
    rows: "each",
    cause: causeId ?? "",
    of: objectName,
    client: clientId,
    ...snoozed,
  });
  return `/exceptions?${query}`;
}

/** An action on a cause reaches at most so many of its exceptions. */
export const membersMax = 1_000;
const pageRows = 500;

/** The exceptions of the causes that match the filters of the list. */
export async function membersOf(causes: readonly Cause[], query: CauseQuery): Promise<readonly Exception[]> {
  const members: Exception[] = [];
  for (const cause of causes) {
    if (isShared(cause)) members.push(...(await readMembers(cause, query)));
    else members.push(cause.newest);
  }
  return members;
}

async function readMembers({ causeId, newest: { clientId } }: Cause, query: CauseQuery): Promise<readonly Exception[]> {
  const members: Exception[] = [];
  let cursor: string | null = null;
  do {
    const page: components["schemas"]["ExceptionPage"] = await api.GET("/exception/list", {
      params: {
        query: { ...query, clientId, cause: causeId ?? "", limit: pageRows, ...(cursor === null ? {} : { cursor }) },
      },
    });
    members.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor !== null && members.length < membersMax);
  return members.slice(0, membersMax);
}
