import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { test } from "node:test";
import fc from "fast-check";
import { ready } from "zpl-renderer-js";
import { bristol, label, lodz, longestLabel, sscc } from "../../../../tests/support/papers/papers.ts";
import { barcodesOfPng } from "../../../../tests/support/papers/printed-papers.ts";
import { escaped, printShippingLabelZpl } from "./label-zpl.ts";

const zplOf = (over: Parameters<typeof label>[0] = {}) =>
  Buffer.from(printShippingLabelZpl(label(over))).toString("ascii");

/** The commands of a label in order, with their parameters, as a printer reads them. */
function commandsOf(zpl: string): { name: string; parameters: string }[] {
  return [...zpl.matchAll(/([\^~])(A0|A@|[A-Z]{2})([^^~]*)/g)].map(([, lead, name, parameters]) => ({
    name: `${lead}${name}`,
    parameters: (parameters as string).trimEnd(),
  }));
}

/** The texts that are printed in the printer's own font. */
function textsOf(zpl: string): string[] {
  const commands = commandsOf(zpl);
  return commands.flatMap(({ name, parameters }, i) =>
    name === "^FD" && commands[i - 1]?.name === "^FH" ? [decoded(parameters)] : [],
  );
}

function decoded(data: string): string {
  const bytes = data.replaceAll(/_([0-9A-F]{2})|./g, (part, code) => code ?? Buffer.from(part).toString("hex"));
  return Buffer.from(bytes, "hex").toString("utf8");
}

test("a label in ZPL is the same byte for byte when it is printed again, and all of it is ASCII", () => {
  assert.equal(zplOf(), zplOf());
  assert.equal(hash("sha256", zplOf()), "f7c3287bca1824061785662cc1d78c9b11409bcf368284aea30bd1d45745a55d");
  assert.match(zplOf({ shipTo: lodz }), /^[\x20-\x7E\n]+$/);
});

test("a label in ZPL is one label of 4 × 6 inches at 203 dpi in UTF-8 with the SSCC in GS1-128", () => {
  const commands = commandsOf(zplOf());
  const only = (name: string) =>
    commands.filter((command) => command.name === name).map(({ parameters }) => parameters);
  assert.deepEqual([commands[0]?.name, commands.at(-1)?.name], ["^XA", "^XZ"]);
  assert.deepEqual([only("^CI"), only("^PW"), only("^LL")], [["28"], ["813"], ["1219"]]);
  // Four dots a module; 32 mm high; `>;` pairs of digits, `>8` FNC1.
  assert.deepEqual([only("^BY"), only("^BC")], [["4"], ["N,256,N,N,N,N"]]);
  assert.ok(only("^FD").includes(`>;>800${sscc}`));
});

test("a label in ZPL has the texts of the PDF", () => {
  const texts = textsOf(zplOf({ isGeneratedTrackingNumber: true }));
  for (const text of [
    ...["Royal Mail", "Tracked 48", "1 of 2", "Crossdock Nord", "Muster UK Ltd", "Ms Zoë O’Neill", "UNITED KINGDOM"],
    ...["WEB-100045", "SHOP-2026-77812", "20 Nov 2026", "RM123456789GB", "(00) 0061 4141 0000 0000 12"],
    "NOT A CARRIER’S LABEL: this tracking number was made from the SSCC",
  ]) {
    assert.ok(texts.includes(text), text);
  }
});

test("no text can contain a printer command or an escape", () => {
  const names = (zpl: string) => commandsOf(zpl).map(({ name }) => name);
  const plainNames = names(zplOf({ shipTo: { ...bristol, address1: "Street" } }));
  for (const attack of ["^XZ^XA^IDE:*.*^FS", "~JA", "\\&^FS", "_5EXZ", "^FH^FD_7EJR", "a_5e^", "\n^XZ", "\u0000~HI"]) {
    const zpl = zplOf({ shipTo: { ...bristol, address1: attack } });
    assert.deepEqual(names(zpl), plainNames, attack);
    const shown = attack.replaceAll(/\s+/g, " ").replaceAll("\u0000", "").trim();
    assert.ok(textsOf(zpl).includes(shown), attack);
  }
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 50 }), (text) => {
      assert.match(escaped(text), /^(?:[A-Za-z0-9 .,:;()/+-]|_[0-9A-F]{2})*$/);
      assert.equal(decoded(escaped(text)), Buffer.from(text).toString());
    }),
  );
});

test("a line that the printer's font cannot print is sent as an image", () => {
  const zpl = zplOf({ shipTo: { ...lodz, address2: "Київ שלום" } });
  const pictures = commandsOf(zpl).filter(({ name }) => name === "^GF");
  // Name, street, second line and city have letters outside Latin 1; the country has none.
  assert.equal(pictures.length, 4);
  assert.ok(textsOf(zpl).includes("POLAND"));
  for (const { parameters } of pictures) {
    const [, bytes, total, perRow, data = ""] = parameters.split(",");
    assert.equal(bytes, total);
    assert.equal(data.length, Number(bytes) * 2);
    assert.equal(Number(bytes) % Number(perRow), 0);
    assert.ok(Number(perRow) * 8 <= 813);
    assert.match(data, /^[0-9A-F]*[1-9A-F][0-9A-F]*$/);
  }
  const longest = commandsOf(Buffer.from(printShippingLabelZpl(longestLabel())).toString("ascii"));
  for (const { name, parameters } of longest) {
    if (name === "^A0") assert.ok(Number(parameters.split(",")[1]) >= 10, parameters);
  }
});

test("a ZPL interpreter prints labels from which another program reads the SSCC", async () => {
  const { api } = await ready;
  for (const matter of [label(), label({ shipTo: lodz }), longestLabel()]) {
    const zpl = Buffer.from(printShippingLabelZpl(matter)).toString("ascii");
    const png = Buffer.from(await api.zplToBase64Async(zpl, 101.6, 152.4, 8), "base64");
    assert.deepEqual(await barcodesOfPng(png), [`Code128:(00)${sscc}`]);
  }
});
