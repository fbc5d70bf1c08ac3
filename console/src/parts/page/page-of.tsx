import type { ReactNode } from "react";
import { useParams } from "react-router";
import type { AnswerOf, GetPath, ParamsOf } from "../../answer-of.ts";
import { type DataOptions, useAnswer } from "../../data.ts";
import { Loaded } from "../loading/loaded.tsx";

interface PageOptions extends Pick<DataOptions, "live"> {
  /** Names the object in an error: "The order". */
  readonly what: string;
  /** Height of the skeleton in pixels. */
  readonly height?: number;
}

/**
 * The page of an object, by the operation that reads it. The names in the page's address are parameters of the operation:
 * those that its path names, and the others in its query.
 */
export function pageOf<Path extends GetPath>(
  path: Path,
  { what, height = 480, live }: PageOptions,
  show: (answer: AnswerOf<Path>, names: Readonly<Record<string, string>>) => ReactNode,
) {
  return function Page() {
    // Without optional names that are absent, and without the rest of an area's path.
    const entries = Object.entries(useParams()).flatMap(([name, value]) =>
      value === undefined || name === "*" ? [] : [[name, value] as const],
    );
    const isInPath = ([name]: readonly [string, string]) => path.includes(`{${name}}`);
    const names = Object.fromEntries(entries);
    const params = {
      path: Object.fromEntries(entries.filter(isInPath)),
      query: Object.fromEntries(entries.filter((entry) => !isInPath(entry))),
    };
    const answer = useAnswer(path, params as unknown as ParamsOf<Path>, live === undefined ? {} : { live });
    return (
      <Loaded query={answer} what={what} height={height}>
        {(loaded) => show(loaded, names)}
      </Loaded>
    );
  };
}
