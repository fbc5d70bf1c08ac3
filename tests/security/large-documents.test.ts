// One client's large or faulty documents do not make another's wait.
import assert from "node:assert/strict";
import { test } from "node:test";
import { testServer } from "../support/app/server.ts";
import { catalogue, order } from "../support/builders/documents.ts";

const server = await testServer();
const many = await server.onboard("MANY");
const other = await server.onboard("OTHER");
await other.accept("CAT", catalogue("OTHER", ["A"]));

const items = (prefix: string) =>
  Array.from({ length: 10_000 }, (_, i) => ({ sku: `${prefix}-${i}`, name: "An item whose name is long ".repeat(9) }));
const catalogues = [1, 2, 3, 4].map((i) => catalogue("MANY", items(`M${i}`)));
const othersCatalogue = catalogue("OTHER", items("O"));

/** Sends all at once, each client's in their order. @returns the client of each answer, in the order of the answers */
async function answeredInOrder(sendings: readonly (() => Promise<{ clientId: string }>)[]): Promise<string[]> {
  const answered: string[] = [];
  await Promise.all(
    sendings.map(async (send) => {
      const { clientId } = await send();
      answered.push(clientId);
    }),
  );
  return answered;
}

const sent = (client: typeof many, type: string, document: string) => async () => {
  const { status } = await client.send(type, document);
  assert.equal(status, 200);
  return client.credentials;
};

test("while four large catalogues of one client wait, another's is taken next", async () => {
  assert.ok(othersCatalogue.length > 2 * 1024 * 1024);
  const answered = await answeredInOrder([
    ...catalogues.map((document) => sent(many, "CAT", document)),
    sent(other, "CAT", othersCatalogue),
  ]);
  // The thread may be busy with another document at that moment, and one more may be stored at the same time.
  assert.ok(answered.indexOf("OTHER") <= 2, answered.join(" "));
});

const lines = "<line><qty/></line>".repeat(12_500);
const faulty = order("MANY", "FAULTY", ["A"]).replace(/<line>.*<\/line>/s, lines);

test("documents of 12,500 wrong lines do not hold up another client's order", async () => {
  assert.ok(faulty.length > 237_500 && faulty.length < 256 * 1024);
  const answered = await answeredInOrder([
    ...Array.from({ length: 20 }, () => sent(many, "NO", faulty)),
    sent(other, "NO", order("OTHER", "CALM", ["A"])),
  ]);
  assert.ok(answered.indexOf("OTHER") <= 10, answered.join(" "));
});

test("what is wrong with a document is charged to its credential's rate, and what is right is not", async () => {
  await many.set({ rateLimit: "50/s" });
  const before = await many.send("NO", faulty);
  assert.equal(before.errors.length, 101);
  assert.match(before.errors.at(-1) as string, /^\d{5} further errors were left out$/);
  const answers = await Promise.all(Array.from({ length: 3 }, () => many.send("NO", faulty)));
  assert.ok(answers.every(({ status }) => status === 200));
  // 37,500 faults count as 75 requests: four such documents exceed the client's burst.
  const refused = await many.send("NO", order("MANY", "REFUSED", ["A"]));
  assert.equal(refused.status, 429);
  assert.match(refused.errors[0] as string, /^\[RATE\] /);
  await other.set({ rateLimit: "50/s" });
  for (let i = 0; i < 30; i++) await other.accept("NO", order("OTHER", `CALM-${i}`, ["A"]));
});
