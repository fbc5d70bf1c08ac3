import {
  type CollectedJourney,
  type CollectedRequest,
  type Dialect,
  type Pair,
  scriptOf,
  type Variable,
} from "#/app/docs-site/collections/requests.ts";

const dialect: Dialect = {
  status: "res.getStatus()",
  body: "res.getBody()",
  get: (name) => `bru.getVar(${JSON.stringify(name)})`,
  set: (name, code) => `bru.setVar(${JSON.stringify(name)}, ${code});`,
  again: (seconds, name) => `await bru.sleep(${seconds * 1_000}); bru.setNextRequest(${JSON.stringify(name)});`,
  test: (title, code) => `test(${JSON.stringify(title)}, () => expect(${code}).to.equal(true));`,
};

/** The files of a Bruno collection, by their paths: a request of a token, and a folder for each journey. */
export function brunoCollection(
  title: string,
  shared: readonly Variable[],
  journeys: readonly CollectedJourney[],
): ReadonlyMap<string, string> {
  const variables = [...shared, ...journeys.flatMap((journey) => journey.variables)];
  const files: [string, string][] = [
    ["bruno.json", `${JSON.stringify({ version: "1", name: title, type: "collection" }, null, 2)}\n`],
    [
      "collection.bru",
      blocks([
        ["auth", ["mode: bearer"]],
        ["auth:bearer", ["token: {{token}}"]],
        ["docs", ["Made from the journeys at /arazzo.", "Set clientId and clientSecret, then run Token and a folder."]],
      ]),
    ],
    ["environments/Deployment.bru", blocks([["vars", linesOf(variables)]])],
    // A folder too: a run of the collection sends the requests of folders first.
    [
      "Token/folder.bru",
      blocks([
        ["meta", ["name: Token", "seq: 1"]],
        ["docs", ["The access token of the other folders."]],
      ]),
    ],
    ["Token/Token.bru", token],
  ];
  for (const [i, { title: name, description, requests }] of journeys.entries()) {
    const meta = blocks([
      ["meta", [`name: ${name}`, `seq: ${i + 2}`]],
      ["docs", [description]],
    ]);
    files.push([`${name}/folder.bru`, meta]);
    for (const [at, request] of requests.entries()) {
      files.push([`${name}/${request.name.replace(":", "")}.bru`, fileOf(request, at + 1)]);
    }
  }
  return new Map(files);
}

type Block = readonly [name: string, lines: readonly string[]];

const blocks = (parts: readonly Block[]) =>
  parts.map(([name, lines]) => `${name} {\n${lines.map((line) => `  ${line}\n`).join("")}}\n`).join("\n");

const linesOf = (pairs: readonly Pair[]) => pairs.map(({ name, value }) => `${name}: ${value}`);

const token = blocks([
  ["meta", ["name: Token", "type: http", "seq: 1"]],
  ["post", ["url: {{authUrl}}/v1/oauth/token", "body: formUrlEncoded", "auth: none"]],
  [
    "body:form-urlencoded",
    ["grant_type: client_credentials", "client_id: {{clientId}}", "client_secret: {{clientSecret}}"],
  ],
  [
    "tests",
    [dialect.test("$statusCode == 200", "res.getStatus() === 200"), dialect.set("token", "res.getBody().access_token")],
  ],
]);

function fileOf(request: CollectedRequest, seq: number): string {
  const { name, description, method, path, query, headers, body } = request;
  const search = query.map((pair) => `${pair.name}=${pair.value}`).join("&");
  const url = `{{baseUrl}}${path}${search === "" ? "" : `?${search}`}`;
  return blocks([
    ["meta", [`name: ${name}`, "type: http", `seq: ${seq}`]],
    [method.toLowerCase(), [`url: ${url}`, `body: ${body === undefined ? "none" : "json"}`, "auth: inherit"]],
    ...(query.length > 0 ? [["params:query", linesOf(query)] as const] : []),
    ...(headers.length > 0 ? [["headers", linesOf(headers)] as const] : []),
    ...(body === undefined ? [] : [["body:json", body.split("\n")] as const]),
    ["tests", scriptOf(request, dialect)],
    ["docs", [description]],
  ]);
}
