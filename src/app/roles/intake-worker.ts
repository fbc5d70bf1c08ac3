import { parentPort } from "node:worker_threads";
import type { IntakeAnswer } from "#/feeds/intake/intake-pool.ts";
import { takeIn } from "#/feeds/intake/receiver.ts";
import { createValidator, type ValidatorInput } from "#/feeds/intake/validator.ts";
import { readXsd } from "#/kernel/shipped-files.ts";
import { createCarrierSets } from "#/modules/carriers/index.ts";
import { createFeedDefinitions } from "#/roles/feed-definitions.ts";
import { createXmlEngine } from "#/xml/index.ts";

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
