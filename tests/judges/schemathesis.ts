// Schemathesis makes requests from the OpenAPI documents of the clients' services, valid and not, and compares each
// answer with the document: `npm run test:judges`.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { test } from "node:test";
import { atEnd } from "../support/app/at-end.ts";
import { startProgram } from "../support/app/program.ts";
import { accessTokenOf, testServer } from "../support/app/server.ts";
import { lifeOf } from "../support/builders/life.ts";
import { warehouseOf } from "../support/warehouse/warehouse-port.ts";
import { schemathesis } from "./judges.ts";
import { isLeftOut } from "./left-out.ts";

/** Checks that are not made, each with its reason. */
const exceptions = {
  // A valid shape may name an unknown SKU, a facility of another client, or the character NUL.
  positive_data_acceptance: "422, 404 and 413 are rules of the business",
  negative_data_rejection: "null for an optional field and other forms of a value are taken (rest.md §2, Other forms)",
};

const server = await testServer();
// The client of the examples.
const life = await lifeOf(server, await warehouseOf(server), "DEMO");
await life.stock([{ sku: "A", qty: 9 }]);
await life.place("WEB-100045", ["A"]);
const token = await accessTokenOf(server.url, life.client.credentials.oauth);

const services = ["order", "webhook", "inventory", "work-order", "carrier-determination", "item-master", "facility"];
// It keeps its cases in the folder in which it runs.
const folder = mkdtempSync(path.join(os.tmpdir(), "crossdock-judge-"));
atEnd(() => rmSync(folder, { recursive: true, force: true }));
for (const service of services) {
  test(`the answers of ${service} are as documented`, async (context) => {
    if (isLeftOut(context, schemathesis())) return;
    const { code, stdout, stderr } = await startProgram(
      [
        schemathesis(),
        ...["run", `${server.url}/openapi/${service}.json`, "--url", server.url],
        ...["--header", `Authorization: Bearer ${token}`, "--rate-limit", "90/s"],
        ...["--phases", "examples,coverage", "--max-time", "40", "--continue-on-failure", "--warnings", "off"],
        ...["--exclude-checks", Object.keys(exceptions).join(",")],
      ],
      { cwd: folder },
    ).ended;
    assert.equal(code, 0, `${stdout}\n${stderr}`);
    context.diagnostic(/Test cases:\s+(.*)/.exec(stdout)?.[1] ?? "");
  });
}
