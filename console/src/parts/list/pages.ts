import type { AnswerOf, GetPath } from "../../answer-of.ts";
import { api } from "../../api.ts";
import { withLists } from "./filter-values.ts";
import type { ListRequest } from "./list-types.ts";

/**
 * Reads the pages of a list: `fetchPage={pagesOf("/workOrder/list", "status")}`.
 * @param several filters that take several values
 */
export function pagesOf<Path extends GetPath>(path: Path, ...several: readonly string[]) {
  return (request: ListRequest, signal: AbortSignal) => {
    const query = withLists(request, ...several);
    return api.GET(path as never, { params: { query }, signal } as never) as Promise<AnswerOf<Path>>;
  };
}
