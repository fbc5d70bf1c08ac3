import assert from "node:assert/strict";
import { test } from "node:test";
import { ackReport, printable, readAck } from "#/cli/ack-report.ts";
import { type Ack, writeAck } from "#/intake/feeds/ack.ts";

const token = "01a1f83a-b993-7000-99f0-5e7d03465f9f";
const verbs = { accepted: "is accepted", rejected: "is rejected" };

function reread(ack: Partial<Ack>) {
  const whole: Ack = {
    token,
    success: true,
    feedType: "NO",
    errors: [],
    errorsOmitted: 0,
    missingSkus: [],
    objectId: undefined,
  };
  return readAck(writeAck({ ...whole, ...ack }));
}

test("an ACK with any text is read back unchanged", () => {
  const errors = ["[VALUE] a < b & c > d, '&amp;' \"quoted\"\r\nnext", "[XML] </error><error>"];
  assert.deepEqual(reread({ success: false, errors, missingSkus: ["A&B", "<sku>"], objectId: "O<1>" }), {
    token,
    success: false,
    feedType: "NO",
    errors,
    missingSkus: ["A&B", "<sku>"],
    objectId: "O<1>",
  });
  assert.deepEqual(reread({}), { token, success: true, feedType: "NO", errors: [], missingSkus: [], objectId: null });
});

test("the sentence about errors left out is the last of the errors", () => {
  assert.equal(
    reread({ success: false, errors: ["[XSD] x"], errorsOmitted: 7 }).errors.at(-1),
    "7 further errors were left out",
  );
});

test("a rejected document is reported with each error on its line", () => {
  const ack = reread({
    success: false,
    errors: ["[STATE] x", "[UNKNOWN_SKU] y"],
    missingSkus: ["A", "B"],
    objectId: "1001",
  });
  assert.deepEqual(ackReport(ack, verbs).lines, [
    "NO 1001 is rejected.",
    "  [STATE] x",
    "  [UNKNOWN_SKU] y",
    "Unknown SKUs: A, B",
  ]);
});

test("text of a sender cannot control the terminal", () => {
  assert.equal(printable("\u001b[2Jgone\u202e"), "\ufffd[2Jgone\ufffd");
});
