import assert from "node:assert/strict";
import { test } from "node:test";
import { createPrintShop } from "#/modules/documents/print-shop.ts";
import { type PaperOrder, printPaper } from "#/modules/documents/printing.ts";
import { atEnd } from "../../../tests/support/app/at-end.ts";
import { label, slip, sscc } from "../../../tests/support/papers/papers.ts";

const shop = createPrintShop();
atEnd(() => shop.close());
const of = (orderId: string) => ({ orderId, olpnId: sscc });
const labelOf = (orderId: string, form: "pdf" | "zpl"): PaperOrder => ({
  ...{ ...of(orderId), type: "SHIPPING_LABEL", form },
  label: label({ orderId }),
});
const slipOf = (orderId: string): PaperOrder => ({ ...of(orderId), type: "PACKING_SLIP", slip: slip({ orderId }) });

test("papers are printed in another thread as they are in this one, in their order", async () => {
  const papers = Array.from({ length: 12 }, (_, i) => [slipOf(`O-${i}`), labelOf(`O-${i}`, "zpl")]).flat();
  const [first, second] = await Promise.all([shop.print(papers), shop.print([labelOf("X", "pdf")])]);
  assert.deepEqual(
    first.map(({ document }) => `${document.orderId} ${document.type}`),
    papers.map(({ orderId, type }) => `${orderId} ${type}`),
  );
  const last = papers.at(-1) as PaperOrder;
  assert.deepEqual(Buffer.from(first.at(-1)?.document.bytes ?? []), printPaper(last).document.bytes);
  assert.deepEqual([second[0]?.document.contentType, second[0]?.document.orderId], ["application/pdf", "X"]);
});

test("a paper that cannot be is refused by itself; those behind it are printed", async () => {
  const wrong: PaperOrder = { ...of("O-1"), type: "SHIPPING_LABEL", form: "pdf", label: label({ olpnId: "1" }) };
  const [refused, printed] = await Promise.allSettled([shop.print([wrong]), shop.print([slipOf("O-2")])]);
  assert.equal(refused.status, "rejected");
  assert.match(String(refused.status === "rejected" && refused.reason), /'1' is no SSCC-18/);
  assert.equal(printed.status, "fulfilled");
});

test("what waits when the thread ends is refused, and the next paper starts another", async () => {
  const own = createPrintShop();
  atEnd(() => own.close());
  const waiting = own.print([slipOf("O-1")]);
  await Promise.all([own.close(), assert.rejects(waiting, /the printing thread ended/)]);
  assert.equal((await own.print([slipOf("O-1")])).length, 1);
});
