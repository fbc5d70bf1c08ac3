import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { test } from "node:test";
import { setImmediate as tick } from "node:timers/promises";
import { type Deadline, withDeadline } from "#/kernel/concurrency/deadline.ts";
import { ShareError } from "#/kernel/concurrency/share.ts";
import { PictureTooLongError } from "#/modules/documents/papers/picture.ts";
import { createPrintService } from "#/modules/documents/print-service.ts";
import { decodePaper, encodePaper, type PaperOrder, printPaper } from "#/modules/documents/printing.ts";
import { DeadlineError } from "#/store/db/errors.ts";
import { atEnd } from "../../../tests/support/app/at-end.ts";
import { label, line, slip, sscc } from "../../../tests/support/papers/papers.ts";
import { textOfPages } from "../../../tests/support/papers/printed-papers.ts";

const printService = createPrintService();
atEnd(() => printService.close());
const of = (orderId: string) => ({ orderId, olpnId: sscc });
const labelOf = (orderId: string, form: "pdf" | "zpl"): PaperOrder => ({
  ...of(orderId),
  type: "SHIPPING_LABEL",
  form,
  label: label({ orderId }),
});
const stored = (paper: PaperOrder) => encodePaper({ writesPacked: true }, paper);
const slipOf = (orderId: string): PaperOrder => ({ ...of(orderId), type: "PACKING_SLIP", slip: slip({ orderId }) });

test("papers from the print thread equal those of this thread, in order", async () => {
  const papers = Array.from({ length: 12 }, (_, i) => [slipOf(`O-${i}`), labelOf(`O-${i}`, "zpl")]).flat();
  const [first, second] = await Promise.all([
    printService.print(papers.map(stored)),
    printService.print([stored(labelOf("X", "pdf"))]),
  ]);
  const hashOf = (bytes: Uint8Array) => hash("sha256", bytes);
  assert.deepEqual(first.map(hashOf), papers.map(printPaper).map(hashOf));
  assert.deepEqual(second.map(hashOf), [hashOf(printPaper(labelOf("X", "pdf")))]);
});

test("a paper that cannot be printed is refused alone; later ones are printed", async () => {
  const wrong: PaperOrder = { ...of("O-1"), type: "SHIPPING_LABEL", form: "pdf", label: label({ olpnId: "1" }) };
  const [refused, printed] = await Promise.allSettled([
    printService.print([stored(wrong)]),
    printService.print([stored(slipOf("O-2"))]),
  ]);
  assert.equal(refused.status, "rejected");
  assert.match(String(refused.status === "rejected" && refused.reason), /'1' is not an SSCC-18/);
  assert.equal(printed.status, "fulfilled");
});

test("waiting papers are refused when the thread ends, and the next paper starts another thread", async () => {
  const service = createPrintService();
  atEnd(() => service.close());
  const waiting = service.print([stored(slipOf("O-1"))]);
  // Its turn begins.
  await tick();
  await Promise.all([service.close(), assert.rejects(waiting, /the printing thread ended/)]);
  assert.equal((await service.print([stored(slipOf("O-1"))])).length, 1);
});

test("a paper is printed from its stored content as it was printed before", () => {
  for (const paper of [slipOf("O-1"), labelOf("O-1", "zpl"), labelOf("O-1", "pdf")]) {
    for (const writesPacked of [true, false]) {
      assert.equal(Buffer.compare(printPaper(decodePaper(encodePaper({ writesPacked }, paper))), printPaper(paper)), 0);
    }
  }
});

test("a picture has all pages of the paper, and a paper of too many pages is refused alone", async () => {
  const lines = Array.from({ length: 60 }, (_, i) => line({ lineNumber: i + 1 }));
  const several: PaperOrder = { ...of("O-1"), type: "PACKING_SLIP", slip: slip({ orderId: "O-1", lines }) };
  const many = Array.from({ length: 1_000 }, (_, i) => line({ lineNumber: i + 1 }));
  const long: PaperOrder = { ...of("O-2"), type: "PACKING_SLIP", slip: slip({ orderId: "O-2", lines: many }) };
  const [drawn, refused, printed] = await Promise.allSettled([
    printService.draw(stored(several)),
    printService.draw(stored(long)),
    printService.print([stored(slipOf("O-3"))]),
  ]);
  const png = Buffer.from(drawn.status === "fulfilled" ? drawn.value : assert.fail(String(drawn.reason)));
  const pages = textOfPages(printPaper(several)).length;
  assert.ok(pages > 1);
  // A4 at 8 dots a millimetre.
  assert.deepEqual([png.readUInt32BE(16), png.readUInt32BE(20)], [1679, 2373 * pages]);
  assert.ok(refused.status === "rejected" && refused.reason instanceof PictureTooLongError);
  assert.ok(refused.reason.pages > 10);
  assert.equal(printed.status, "fulfilled");
});

test("a label does not wait for the picture of a long paper", async () => {
  const lines = Array.from({ length: 200 }, (_, i) => line({ lineNumber: i + 1 }));
  const long: PaperOrder = { ...of("O-1"), type: "PACKING_SLIP", slip: slip({ orderId: "O-1", lines }) };
  assert.ok(textOfPages(printPaper(long)).length > 3);
  await printService.draw(stored(labelOf("O-0", "pdf")));
  const ended: string[] = [];
  await Promise.all([
    printService.draw(stored(long)).then(() => ended.push("picture")),
    printService.print([stored(labelOf("O-2", "zpl"))]).then(() => ended.push("label")),
  ]);
  assert.deepEqual(ended, ["label", "picture"]);
});

const requestOf = (holder: string): Deadline => ({ atMs: performance.now() + 600_000, holder: () => holder });
const longSlip = (orderId: string): PaperOrder => {
  const lines = Array.from({ length: 300 }, (_, i) => line({ lineNumber: i + 1 }));
  return { ...of(orderId), type: "PACKING_SLIP", slip: slip({ orderId, lines }) };
};

test("a client that has many long slips printed delays the label of another by one of them, and is refused beyond its share", async () => {
  const flood = requestOf("client ACME");
  const ended: string[] = [];
  const slips = Array.from({ length: 40 }, (_, i) =>
    withDeadline(flood, () => printService.print([stored(longSlip(`O-${i}`))])).then(() => ended.push("slip")),
  );
  const settled = Promise.allSettled(slips);
  await withDeadline(requestOf("client BETA"), () => printService.print([stored(labelOf("B-1", "zpl"))]));
  assert.ok(ended.length <= 2, `${ended.length} slips were printed before the label`);
  // Its sender hangs up: what waits is not printed.
  flood.isOver = true;
  const refusals = (await settled).filter(({ status }) => status === "rejected") as PromiseRejectedResult[];
  const beyond = refusals.filter(({ reason }) => reason instanceof ShareError);
  const abandoned = refusals.filter(({ reason }) => reason instanceof DeadlineError);
  assert.equal(beyond.length, 8);
  assert.ok(beyond.every(({ reason }) => /has 32 prints in progress/.test(String(reason))));
  assert.ok(abandoned.length >= 29, `${abandoned.length} were left out`);
  assert.equal(ended.length, 40 - refusals.length);
});

test("a client is refused pictures beyond its share", async () => {
  const flood = requestOf("client ACME");
  const pictures = Array.from({ length: 10 }, () =>
    withDeadline(flood, () => printService.draw(stored(labelOf("O-1", "pdf")))),
  );
  const refused = (await Promise.allSettled(pictures)).flatMap((picture) =>
    picture.status === "rejected" ? [String(picture.reason)] : [],
  );
  assert.equal(refused.length, 2);
  assert.match(refused[0] ?? "", /has 8 pictures in progress/);
});

test("the papers of a book leave turns to others, and a book that is given up is forgotten", async () => {
  const ended: string[] = [];
  const papers = Array.from({ length: 3 }, (_, i) => longSlip(`O-${i}`));
  const book = withDeadline(requestOf("facility DC1"), () =>
    printService.printBook(papers.map(stored), "2026-11-25T09:00:00Z"),
  );
  const finished = book.then((bytes) => {
    ended.push("book");
    return bytes;
  });
  await withDeadline(requestOf("client BETA"), () => printService.print([stored(labelOf("B-1", "zpl"))]));
  assert.deepEqual(ended, []);
  const alone = printService.printBook(papers.map(stored), "2026-11-25T09:00:00Z");
  assert.equal(hash("sha256", await finished), hash("sha256", await alone));
  const wrong: PaperOrder = { ...of("O-1"), type: "SHIPPING_LABEL", form: "pdf", label: label({ olpnId: "1" }) };
  await assert.rejects(
    printService.printBook([slipOf("O-1"), wrong].map(stored), "2026-11-25T09:00:00Z"),
    /not an SSCC-18/,
  );
});
