import assert from "node:assert/strict";
import { test } from "node:test";
import { scanProlog } from "#/intake/xml/parse/parser.ts";

const scan = (text: string) => scanProlog(Buffer.from(text));

test("nothing but white space is empty", () => {
  for (const text of ["", " ", "\r\n\t \n"]) assert.deepEqual(scan(text), { kind: "EMPTY" });
});

test("a prolog without document type declaration leads to the root element", () => {
  for (const text of [
    "<a/>",
    '<?xml version="1.0"?>\n<!-- a --><?b c?>\n<a/>',
    "  <a><!DOCTYPE a></a>",
    "x<!DOCTYPE a>",
  ]) {
    assert.deepEqual(scan(text), { kind: "ELEMENT" }, text);
  }
});

test("a document type declaration is found with its line, wherever it is in the prolog", () => {
  assert.deepEqual(scan("<!DOCTYPE a><a/>"), { kind: "DOCTYPE", line: 1 });
  assert.deepEqual(scan('<?xml version="1.0"?>\n<!-- x\n --><?p\n?>\r\n \t<!DOCTYPE a [\n]><a/>'), {
    kind: "DOCTYPE",
    line: 5,
  });
});

test("a document type declaration in a comment or an instruction is ignored", () => {
  assert.deepEqual(scan("<!-- <!DOCTYPE a> --><?x <!DOCTYPE a> ?><a/>"), { kind: "ELEMENT" });
});

test("a comment or an instruction that never ends is left to the parser", () => {
  for (const text of ["<!-- <!DOCTYPE a>", "<?x <!DOCTYPE a>", "<!-", "<?", "<", "<!DOCTYP"]) {
    assert.deepEqual(scan(text), { kind: "ELEMENT" }, text);
  }
});
