/** The parts of an OpenAPI document that are read here. */
export interface ServiceText {
  readonly info: { readonly title: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationText>>>>;
}

interface OperationText {
  readonly summary?: string;
  readonly description?: string;
}

const methods = ["get", "post", "put", "patch", "delete"] as const;

/** The complete docs/rest-operations.md; a test compares the file with it. @param services the published documents */
export function operationsPage(services: readonly ServiceText[]): string {
  return `# Operations of the REST services

Every operation, so that the search finds it. The API reference at \`/docs/api\` shows parameters, bodies and answers, and calls the
operation; the [contract](contract/rest.md) has the rules of all services, and [Problems](problems.md) every refusal.

${services.map(serviceSection).join("\n\n")}

This page is generated from the published OpenAPI documents.
`;
}

function serviceSection({ info, paths }: ServiceText): string {
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const { summary = "", description = "" } = item[method] ?? {};
      if (item[method] === undefined) return [];
      const more = description.startsWith(summary)
        ? description.slice(summary.length).replace(/^\.\s*/, "")
        : description;
      return `### \`${method.toUpperCase()} ${path}\`\n\n${summary.replace(/\.$/, "")}.${more === "" ? "" : ` ${more}`}`;
    }),
  );
  return `## ${info.title}\n\n${operations.join("\n\n")}`;
}
