import { useSearchParams } from "react-router";
import { useSetParams } from "../scope.ts";
import { Choice } from "./choice.tsx";

interface RowsChoiceProps {
  /** "By cause". */
  readonly grouped: string;
  /** What an address without `?rows=` shows. */
  readonly isEach: boolean;
  /** Parameters of single rows, which a list of groups has not. */
  readonly leaves?: readonly string[];
}

/** The rows that a list with groups shows: `?rows=each` or `?rows=groups`. */
export const rowsOf = (params: URLSearchParams, isEach: boolean): "each" | "groups" =>
  params.get("rows") === "each" ? "each" : params.get("rows") === "groups" ? "groups" : isEach ? "each" : "groups";

/** Whether a list has a row for each object, or one for a group of them. */
export function RowsChoice({ grouped, isEach, leaves = [] }: RowsChoiceProps) {
  const [params] = useSearchParams();
  const set = useSetParams();
  return (
    <Choice
      label="What a row is"
      options={{ groups: grouped, each: "One by one" }}
      value={rowsOf(params, isEach)}
      choose={(rows) =>
        set({
          ...(rows === "groups" ? Object.fromEntries(leaves.map((key) => [key, null])) : {}),
          rows: (rows === "each") === isEach ? null : rows,
          sort: null,
        })
      }
    />
  );
}
