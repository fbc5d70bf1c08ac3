// README.md and samples/README.md: the parts that a reader copies.
import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { testServer } from "../support/app/server.ts";
import { catalogue } from "../support/builders/documents.ts";
import { fencesOf, root } from "./fences.ts";
import { environmentOf, walkGuide } from "./walk.ts";

const server = await testServer();

test("a new client is created as the README says", async (context) => {
  // The facility of the README does not exist yet in the reader's sandbox.
  await server.rows("delete from facility where facility_code = 'DC3'");
  await walkGuide(context, "README.md", {
    url: server.url,
    values: {},
    environment: environmentOf(server),
    prepare: (folder) => writeFileSync(path.join(folder, "catalogue.xml"), catalogue("ACME", ["TEE-M"])),
  });
});

test("the faults that the README shows in one ACK are those of a refused sample", () => {
  const [shown] = fencesOf("README.md").filter(({ remark }) => remark === "example");
  const folder = path.join(root, "samples/refused");
  const acks = readdirSync(folder)
    .filter((name) => name.endsWith(".ack.xml"))
    .map((name) => readFileSync(path.join(folder, name), "utf8"));
  const errorsOf = (ack: string) =>
    [...ack.matchAll(/<error>(.*?)<\/error>/g)].map(([, error]) => `${error}\n`).join("");
  assert.ok(shown, "the README shows an example");
  assert.ok(acks.map(errorsOf).includes(shown.source), shown.source);
});

test("a sample is sent as its README says", async (context) => {
  const { credentials } = await server.onboard("DEMO", { facilities: ["DC1"] });
  await walkGuide(context, "samples/README.md", {
    url: server.url,
    values: { FEED_URL: server.url, KEY: credentials.feed.apiKey },
    environment: environmentOf(server),
  });
});
