import {
  type CollectedJourney,
  type CollectedRequest,
  type Dialect,
  type Pair,
  scriptOf,
  type Variable,
} from "#/app/docs-site/collections/requests.ts";

const dialect: Dialect = {
  status: "pm.response.code",
  body: "pm.response.json()",
  get: (name) => `pm.collectionVariables.get(${JSON.stringify(name)})`,
  set: (name, code) => `pm.collectionVariables.set(${JSON.stringify(name)}, ${code});`,
  // The program waits for timers of a script.
  again: (seconds, name) =>
    `setTimeout(() => {}, ${seconds * 1_000}); pm.execution.setNextRequest(${JSON.stringify(name)});`,
  test: (title, code) => `pm.test(${JSON.stringify(title)}, () => pm.expect(${code}).to.equal(true));`,
};

const after = (exec: readonly string[]) => [{ listen: "test", script: { type: "text/javascript", exec } }];
const keyed = (pairs: readonly Pair[]) => pairs.map(({ name, value }) => ({ key: name, value }));

/** A Postman Collection 2.1.0: a request of a token, and a folder for each journey. */
export function postmanCollection(title: string, shared: readonly Variable[], journeys: readonly CollectedJourney[]) {
  const variables = [...shared, ...journeys.flatMap((journey) => journey.variables)];
  return {
    info: {
      name: title,
      description: "Made from the journeys at /arazzo. Set clientId and clientSecret, then run Token and a folder.",
      schema: "https://schema.getpostman.com/json/collection/v2.1.0/collection.json",
    },
    auth: { type: "bearer", bearer: [{ key: "token", value: "{{token}}", type: "string" }] },
    variable: variables.map(({ name, value, description }) => ({ key: name, value, type: "string", description })),
    item: [
      {
        name: "Token",
        event: after([
          dialect.test("$statusCode == 200", "pm.response.code === 200"),
          dialect.set("token", "pm.response.json().access_token"),
        ]),
        request: {
          method: "POST",
          description: "The access token of the requests below.",
          auth: { type: "noauth" },
          url: { raw: "{{authUrl}}/v1/oauth/token", host: ["{{authUrl}}"], path: ["v1", "oauth", "token"] },
          body: {
            mode: "urlencoded",
            urlencoded: keyed([
              { name: "grant_type", value: "client_credentials" },
              { name: "client_id", value: "{{clientId}}" },
              { name: "client_secret", value: "{{clientSecret}}" },
            ]),
          },
        },
      },
      ...journeys.map((journey) => ({
        name: journey.title,
        description: journey.description,
        item: journey.requests.map(itemOf),
      })),
    ],
  };
}

function itemOf(request: CollectedRequest) {
  const { name, description, method, path, query, headers, body } = request;
  const search = query.map((pair) => `${pair.name}=${pair.value}`).join("&");
  return {
    name,
    event: after(scriptOf(request, dialect)),
    request: {
      method,
      description,
      header: keyed(headers),
      url: {
        raw: `{{baseUrl}}${path}${search === "" ? "" : `?${search}`}`,
        host: ["{{baseUrl}}"],
        path: path.split("/").slice(1),
        ...(query.length > 0 ? { query: keyed(query) } : {}),
      },
      ...(body === undefined ? {} : { body: { mode: "raw", raw: body, options: { raw: { language: "json" } } } }),
    },
  };
}
