import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { pathToFileURL } from "node:url";
import { createWorkThread, ThreadEndedError } from "#/kernel/concurrency/work-thread.ts";

const file = pathToFileURL(join(tmpdir(), `thread-${process.pid}.ts`));
writeFileSync(
  file,
  `import { serveThread } from ${JSON.stringify(new URL("./work-thread.ts", import.meta.url).href)};
serveThread((task) => {
  if (task === "endless") for (;;) {}
  if (task === "wrong") throw new Error("no such task");
  return "done: " + task;
});`,
);

const thread = createWorkThread<string>(file, { msMax: 5_000 });
after(() => thread.close());

test("a task is answered, and the caller gets what it threw", async () => {
  assert.equal(await thread.run("A", "one"), "done: one");
  await assert.rejects(thread.run("A", "wrong"), /no such task/);
  assert.equal(await thread.run("A", "two"), "done: two");
});

test("owners take turns at the thread", async () => {
  const order: string[] = [];
  const tasks = ["A", "A", "A", "A", "B"].map((owner) => thread.run(owner, owner).then(() => order.push(owner)));
  await Promise.all(tasks);
  assert.equal(order.indexOf("B") < 3, true, order.join());
});

test("a task that takes too long ends the thread, and the next one starts another", async () => {
  const short = createWorkThread<string>(file, { msMax: 100 });
  await assert.rejects(short.run("A", "endless"), ThreadEndedError);
  await short.close();
  await assert.rejects(short.run("A", "one"), ThreadEndedError);
  assert.equal(await thread.run("A", "again"), "done: again");
});
