// The generated modules of the Python package: the records and methods of each service, and the documents of the feeds.
import {
  type Field,
  type Operation,
  type RecordType,
  type Reference,
  readEvents,
  readFeeds,
  readServices,
  snakeCase,
  valueName,
} from "./model.ts";

/** @returns the files by their path in the package. */
export function pythonFiles(): ReadonlyMap<string, string> {
  const services = readServices();
  const files = [...services, readEvents()].map(
    ({ name, clientName, description, records, enumerations, operations }): [string, string] => [
      `crossdock/${snakeCase(name)}.py`,
      [
        head,
        ...enumerations.map(
          (list) =>
            `class ${list.name}:\n${docOf(`${list.description} A later server may have more.`)}\n${list.values.map((value) => `    ${constantOf(value)} = ${JSON.stringify(value)}`).join("\n")}`,
        ),
        ...records.map(recordOf),
        ...(operations.length > 0 ? [serviceOf(serviceName(clientName), description, operations)] : []),
      ].join("\n\n\n"),
    ],
  );
  const imports = services.map(({ name, clientName }) => `from .${snakeCase(name)} import ${serviceName(clientName)}`);
  const members = services.map(
    ({ clientName }) => `        self.${snakeCase(clientName)} = ${serviceName(clientName)}(client)`,
  );
  const list = `from typing import Any\n\n${imports.join("\n")}\n\n\nclass Services:\n    def __init__(self, client: Any) -> None:\n${members.join("\n")}`;
  const feeds = readFeeds();
  const documents = feeds.documents.map(({ feed, root, record }) => `    ${record}: ("${feed}", "${root}"),`);
  const feedModule = [
    head,
    ...feeds.records.map(recordOf),
    `#: The feed and the root element of each document.\nDOCUMENTS = {\n${documents.join("\n")}\n}`,
  ].join("\n\n\n");
  return new Map(
    [...files, ["crossdock/_services.py", list], ["crossdock/feeds.py", feedModule]].map(([file, text]) => [
      file as string,
      `${text}\n`,
    ]),
  );
}

const head =
  "from __future__ import annotations\n\nimport dataclasses\nimport datetime\nfrom typing import Any, Dict, Iterator, List, Optional\nfrom urllib.parse import quote";

const keywords = new Set([
  "from",
  "class",
  "def",
  "return",
  "global",
  "pass",
  "import",
  "in",
  "is",
  "not",
  "with",
  "type",
]);

function nameOf(name: string): string {
  if (name === "#text") return "value";
  const snake = snakeCase(name.replace("@", ""));
  return keywords.has(snake) && snake !== "type" ? `${snake}_` : snake;
}

const serviceName = (clientName: string) => `${clientName.replace(/^./, (letter) => letter.toUpperCase())}Service`;
const constantOf = (value: string) => snakeCase(valueName(value)).toUpperCase();
const docOf = (text: string, indent = "    ") => `${indent}"""${text.replaceAll("\\", "\\\\").replaceAll('"', "'")}"""`;

function typeOf(type: Reference): string {
  switch (type.kind) {
    case "list":
      return `List[${typeOf(type.of)}]`;
    case "map":
      return `Dict[str, ${typeOf(type.of)}]`;
    case "record":
      return type.name;
    default:
      return {
        string: "str",
        integer: "int",
        number: "float",
        boolean: "bool",
        dateTime: "datetime.datetime",
        any: "Any",
      }[type.kind];
  }
}

/** A required field of an answer may be null, and a request leaves out what is None. */
function recordOf({ name, description, fields }: RecordType): string {
  const lines = fields.map((field) => {
    const comment = field.description === "" ? "" : `    #: ${field.description}\n`;
    return `${comment}    ${nameOf(field.name)}: Optional[${typeOf(field.type)}] = dataclasses.field(default=None, metadata={"name": ${JSON.stringify(field.name)}})`;
  });
  return `@dataclasses.dataclass\nclass ${name}:\n${docOf(description)}\n\n${lines.join("\n")}`;
}

const serviceOf = (name: string, description: string, operations: readonly Operation[]) =>
  `class ${name}:\n${docOf(description)}\n\n    def __init__(self, client: Any) -> None:\n        self._client = client\n\n${operations.map(methodOf).join("\n\n")}`;

const optional = (field: Field) => `${nameOf(field.name)}: Optional[${typeOf(field.type)}] = None`;

function methodOf(operation: Operation): string {
  const { name, summary, method, path, pathFields, queryFields, body, answer, isList, hasKey, hasIfMatch } = operation;
  const needed = queryFields.filter(({ isRequired }) => isRequired);
  const others = queryFields.filter(({ isRequired }) => !isRequired).map(optional);
  if (hasKey) others.push("idempotency_key: Optional[str] = None");
  if (hasIfMatch) others.push("if_match: Optional[str] = None");
  const parameters = [
    "self",
    ...[...pathFields, ...needed].map((field) => `${nameOf(field.name)}: ${typeOf(field.type)}`),
    ...(body ? [`body: ${typeOf(body)}`] : []),
    ...(others.length > 0 ? ["*", ...others] : []),
  ];
  const filled = path.replace(/\{(\w+)\}/g, (_, field: string) => `{quote(str(${nameOf(field)}), safe="")}`);
  const target = pathFields.length > 0 ? `f'${filled}'` : `"${path}"`;
  const query = `{${queryFields.map((field) => `"${field.name}": ${nameOf(field.name)}`).join(", ")}}`;
  const options = [
    ...(queryFields.length > 0 ? [`query=${query}`] : []),
    ...(body ? ["body=body"] : []),
    ...(hasKey
      ? [answer === "file" ? "idempotency_key=idempotency_key" : "has_key=True, idempotency_key=idempotency_key"]
      : []),
    ...(hasIfMatch ? ["if_match=if_match"] : []),
  ];
  const type = answer === undefined || answer === "file" ? "Any" : typeOf(answer);
  let result = `Any`;
  let call = "";
  if (isList) {
    result = `Iterator[${type}]`;
    call = `self._client.records(${target}, ${query}, ${type})`;
  } else if (answer === "file") {
    result = "bytes";
    call = `self._client.fetch(${[`"${method}"`, target, ...options].join(", ")})`;
  } else {
    result = answer === undefined ? "None" : type;
    call = `self._client._call(${[type, `"${method}"`, target, ...options].join(", ")})`;
  }
  return `    def ${snakeCase(name)}(${parameters.join(", ")}) -> ${result}:\n${docOf(summary, "        ")}\n        return ${call}`;
}
