import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { test } from "node:test";
import { createPrintService } from "#/modules/documents/print-service.ts";
import { decodePaper, encodePaper, type PaperOrder, printPaper } from "#/modules/documents/printing.ts";
import { atEnd } from "../../../tests/support/app/at-end.ts";
import { label, slip, sscc } from "../../../tests/support/papers/papers.ts";

const printService = createPrintService();
atEnd(() => printService.close());
const of = (orderId: string) => ({ orderId, olpnId: sscc });
const labelOf = (orderId: string, form: "pdf" | "zpl"): PaperOrder => ({
  ...of(orderId),
  type: "SHIPPING_LABEL",
  form,
  label: label({ orderId }),
});
const slipOf = (orderId: string): PaperOrder => ({ ...of(orderId), type: "PACKING_SLIP", slip: slip({ orderId }) });

test("papers from the print thread equal those of this thread, in order", async () => {
  const papers = Array.from({ length: 12 }, (_, i) => [slipOf(`O-${i}`), labelOf(`O-${i}`, "zpl")]).flat();
  const [first, second] = await Promise.all([printService.print(papers), printService.print([labelOf("X", "pdf")])]);
  const hashOf = (bytes: Uint8Array) => hash("sha256", bytes);
  assert.deepEqual(first.map(hashOf), papers.map(printPaper).map(hashOf));
  assert.deepEqual(second.map(hashOf), [hashOf(printPaper(labelOf("X", "pdf")))]);
});

test("a paper that cannot be printed is refused alone; later ones are printed", async () => {
  const wrong: PaperOrder = { ...of("O-1"), type: "SHIPPING_LABEL", form: "pdf", label: label({ olpnId: "1" }) };
  const [refused, printed] = await Promise.allSettled([
    printService.print([wrong]),
    printService.print([slipOf("O-2")]),
  ]);
  assert.equal(refused.status, "rejected");
  assert.match(String(refused.status === "rejected" && refused.reason), /'1' is not an SSCC-18/);
  assert.equal(printed.status, "fulfilled");
});

test("waiting papers are refused when the thread ends, and the next paper starts another thread", async () => {
  const service = createPrintService();
  atEnd(() => service.close());
  const waiting = service.print([slipOf("O-1")]);
  await Promise.all([service.close(), assert.rejects(waiting, /the printing thread ended/)]);
  assert.equal((await service.print([slipOf("O-1")])).length, 1);
});

test("a paper is printed from its stored content as it was printed before", () => {
  for (const paper of [slipOf("O-1"), labelOf("O-1", "zpl"), labelOf("O-1", "pdf")]) {
    assert.equal(Buffer.compare(printPaper(decodePaper(encodePaper(paper))), printPaper(paper)), 0);
  }
});
