// Which client and which facility a request names, in its path, query or body.
import type { FastifyRequest } from "fastify";
import type { TSchema } from "typebox";

type Part = "path" | "query" | "body";

interface Named {
  readonly part: Part;
  readonly pointer: string;
  readonly text: string;
}

/**
 * The values in path, query and body under a name, each one of a repeated parameter. A value that is not a text has no
 * meaning here; the schema checks it.
 */
export function namedIn({ params, query, body }: FastifyRequest, ...names: readonly string[]): readonly Named[] {
  const holders = [
    ["path", "/path", params],
    ["query", "/query", query],
    ["body", "#", body],
  ] as const;
  return holders.flatMap(([part, base, holder]) =>
    names.flatMap((name) => {
      const texts = [fieldOf(holder, name)].flat();
      return texts.flatMap((text) => (typeof text === "string" ? [{ part, pointer: `${base}/${name}`, text }] : []));
    }),
  );
}

function fieldOf(holder: unknown, name: string): unknown {
  if (typeof holder !== "object" || holder === null || !Object.hasOwn(holder, name)) return undefined;
  return (holder as Readonly<Record<string, unknown>>)[name];
}

/** Where the route of a request accepts one of these names: the first part that has one. */
export function placeFor(
  { routeOptions }: FastifyRequest,
  ...names: readonly string[]
): { readonly part: Part; readonly name: string } | undefined {
  const { params, querystring, body } = (routeOptions.schema ?? {}) as Readonly<Record<string, TSchema | undefined>>;
  for (const [part, schema] of [
    ["path", params],
    ["query", querystring],
    ["body", body],
  ] as const) {
    const properties = (schema as { properties?: object } | undefined)?.properties ?? {};
    const name = names.find((candidate) => Object.hasOwn(properties, candidate));
    if (name !== undefined) return { part, name };
  }
  return undefined;
}
