// The judges: programs and packages of others that say whether the interfaces keep the standards that they name.
import { mkdirSync } from "node:fs";
import os from "node:os";
import path from "node:path";

export interface Judge {
  readonly name: string;
  readonly judges: string;
  /** Tests that ask it; they say LEFT OUT where the machine lacks it. */
  readonly files: readonly string[];
  /** The registry that it is installed from before it is asked; without it, it is a package of the tests or a program of the machine. */
  readonly from?: "PyPI" | "npm";
}

export const judges: readonly Judge[] = [
  // By the time of their installation.
  { name: "MCP conformance", judges: "/mcp", files: ["tests/judges/mcp-conformance.ts"], from: "npm" },
  { name: "newman, Bruno", judges: "the collections", files: ["tests/judges/collections.ts"], from: "npm" },
  { name: "Schemathesis", judges: "the services of clients", files: ["tests/judges/schemathesis.ts"], from: "PyPI" },
  // The longest first.
  { name: "Redocly, Spectral", judges: "the OpenAPI documents", files: ["tests/flows/rest/openapi-lint.test.ts"] },
  { name: "publint, attw, tsc", judges: "the client package", files: ["tests/client/package.test.ts"] },
  { name: "xmllint, Xerces", judges: "the XSDs and the documents", files: ["tests/interop/validation.test.ts"] },
  { name: "OpenSSH, lftp", judges: "SFTP", files: ["tests/interop/openssh.test.ts"] },
  { name: "Poppler, ZBar", judges: "papers and labels", files: ["tests/interop/papers.test.ts"] },
  { name: "@ai-sdk/mcp", judges: "/mcp, as a client", files: ["tests/flows/agents/other-client.test.ts"] },
  {
    name: "http-message-signatures",
    judges: "signatures of webhooks",
    files: ["tests/flows/webhooks/http-signatures.test.ts"],
  },
  { name: "AsyncAPI parser", judges: "the document of events", files: ["tests/flows/webhooks/asyncapi.test.ts"] },
  { name: "Arazzo schema", judges: "the journeys", files: ["tests/flows/journeys/journeys.test.ts"] },
  { name: "ShellCheck", judges: "shell scripts", files: ["tests/interop/shell-scripts.test.ts"] },
  { name: "promtool", judges: "alert rules and dashboards", files: ["tests/deploy/observability.test.ts"] },
];

/** Folder of the judges from other registries, kept between runs. */
export function judgesFolder(): string {
  const folder = process.env.CROSSDOCK_JUDGES ?? path.join(os.homedir(), ".cache", "crossdock-judges");
  mkdirSync(folder, { recursive: true });
  return folder;
}

export const schemathesis = () => path.join(judgesFolder(), "python", "bin", "st");
export const newman = () => path.join(judgesFolder(), "npm", "node_modules", "newman", "bin", "newman.js");
export const brunoParser = () =>
  path.join(judgesFolder(), "npm", "node_modules", "@usebruno", "lang", "src", "index.js");
export const mcpConformance = () => path.join(judgesFolder(), "npm", "node_modules", ".bin", "conformance");

/** Packages of npm that are installed for the judges, and for nothing else. */
export const npmJudges = [
  "@modelcontextprotocol/conformance@0.2.0-alpha.12",
  "@usebruno/lang@0.39.0",
  "newman@6.2.2",
] as const;
