import { parentPort } from "node:worker_threads";
import { createFeedDefinitions } from "#/app/roles/feed-definitions.ts";
import type { IntakeAnswer } from "#/intake/feeds/intake/intake-pool.ts";
import { takeIn } from "#/intake/feeds/intake/receiver.ts";
import { createValidator, type ValidatorInput } from "#/intake/feeds/intake/validator.ts";
import { createXmlEngine } from "#/intake/xml/index.ts";
import { readXsd } from "#/kernel/shipped-files.ts";
import { createCarrierSets } from "#/modules/carriers/index.ts";

// A worker thread that parses documents one at a time and answers in order. It has no database and no carrier data.
const engine = await createXmlEngine();
const validate = createValidator(engine, createFeedDefinitions(createCarrierSets()), readXsd);

parentPort?.on("message", (input: ValidatorInput) => {
  let answer: IntakeAnswer;
  try {
    const intake = takeIn(validate, input, (posted) => parentPort?.postMessage(posted, [...posted.piece.transfer]));
    answer = { intake, heapBytes: engine.heapBytes() };
  } catch (error) {
    answer = { error: (error as Error).stack ?? String(error), heapBytes: engine.heapBytes() };
  }
  const pieces = answer.intake?.reading.checked?.pieces ?? [];
  parentPort?.postMessage(
    answer,
    pieces.flatMap(({ transfer }) => transfer),
  );
  // Freed at once: the garbage collector would do it some documents later.
  (input.bytes.buffer as ArrayBuffer).transfer(0);
});
parentPort?.postMessage("ready");
