import { type Answer, unwrap } from "./problem.ts";
import type { InitOf, Nothing, OperationOf, RestClient } from "./rest.ts";

/** The answer of every list (contract rest.md §2). */
export interface Page<Item> {
  readonly items: readonly Item[];
  /** Null at the end of a list; a change feed always has one. */
  readonly nextCursor: string | null;
}

type GetOf<Paths, Path extends keyof Paths> = OperationOf<Paths, Path, "get">;

type BodyOf<Get> = Get extends {
  readonly responses: { readonly 200: { readonly content: { readonly "application/json": infer Body } } };
}
  ? Body
  : never;

/** The paths of a service that return lists. */
export type ListPath<Paths> = {
  [Path in keyof Paths]: [BodyOf<GetOf<Paths, Path>>] extends [never]
    ? never
    : BodyOf<GetOf<Paths, Path>> extends Page<unknown>
      ? Path
      : never;
}[keyof Paths];

export type PageOf<Paths, Path extends ListPath<Paths>> = Extract<BodyOf<GetOf<Paths, Path>>, Page<unknown>>;

export type ItemOf<Paths, Path extends ListPath<Paths>> = PageOf<Paths, Path>["items"][number];

/** The options of `GET` for the same path; optional if the path has no required parameters. */
type Options<Get> = Nothing extends InitOf<Get> ? [init?: InitOf<Get>] : [init: InitOf<Get>];

/**
 * The pages of a list, requested one at a time on demand. A change feed ends when `nextCursor` equals the cursor that
 * was sent, because with a filter a page may be empty before the end. Store the last cursor, and pass it as `cursor`
 * next time.
 * @throws {ProblemError} when the service refuses the request.
 */
export async function* pages<Paths extends {}, Path extends ListPath<Paths>>(
  service: RestClient<Paths>,
  path: Path,
  ...[init]: Options<GetOf<Paths, Path>>
): AsyncGenerator<PageOf<Paths, Path>, void, undefined> {
  // The types of the path do not resolve while the path is still a type parameter.
  const get = service.GET as unknown as (path: Path, init: object) => Promise<Answer>;
  const { params = {}, ...rest } = (init ?? {}) as { params?: { query?: { cursor?: string } } };
  let { cursor } = params.query ?? {};
  for (;;) {
    const query = { ...params.query, ...(cursor === undefined ? {} : { cursor }) };
    const page = (await unwrap(get(path, { ...rest, params: { ...params, query } }))) as PageOf<Paths, Path>;
    yield page;
    if (page.nextCursor === null || page.nextCursor === cursor) return;
    cursor = page.nextCursor;
  }
}

/**
 * The records of a list, over all its pages.
 * @throws {ProblemError} when the service refuses the request.
 */
export async function* items<Paths extends {}, Path extends ListPath<Paths>>(
  service: RestClient<Paths>,
  path: Path,
  ...init: Options<GetOf<Paths, Path>>
): AsyncGenerator<ItemOf<Paths, Path>, void, undefined> {
  for await (const page of pages(service, path, ...init)) yield* page.items as readonly Awaited<ItemOf<Paths, Path>>[];
}
