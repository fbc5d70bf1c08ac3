import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { readPath, textOfPath } from "#/intake/sftp/server/tree.ts";

function pathOf(text: string): string {
  const read = readPath(Buffer.from(text));
  assert.ok(read.ok, `${text} is refused`);
  return textOfPath(read.value);
}

function messageOf(path: string | Buffer): string {
  const read = readPath(Buffer.from(path));
  assert.ok(!read.ok, `${path} is taken`);
  assert.equal(read.fault.status, "FAILURE");
  return read.fault.message;
}

test("a path is resolved from the root", () => {
  assert.equal(pathOf(""), "/");
  assert.equal(pathOf("."), "/");
  assert.equal(pathOf("//inbound///NO/./a.xml"), "/inbound/NO/a.xml");
  assert.equal(pathOf("inbound/NO/"), "/inbound/NO");
  assert.equal(pathOf("/inbound/CAT/../NO/a b.xml"), "/inbound/NO/a b.xml");
  assert.equal(pathOf("/inbound/NO/größe-漢字.xml"), "/inbound/NO/größe-漢字.xml");
  assert.equal(pathOf("/inbound/NO/..."), "/inbound/NO/...");
});

test("no path leads above the root", () => {
  assert.equal(pathOf("/../../etc/passwd"), "/etc/passwd");
  assert.equal(pathOf("../../.."), "/");
  assert.equal(pathOf("/inbound/../../../../x"), "/x");
  fc.assert(
    fc.property(fc.array(fc.constantFrom("..", ".", "", "a", "inbound", "...")), (parts) => {
      const read = readPath(Buffer.from(parts.join("/")));
      assert.ok(read.ok);
      assert.ok(read.value.every((name) => name !== "" && name !== "." && name !== ".." && !name.includes("/")));
    }),
  );
});

test("names that cannot exist are refused with the reason", () => {
  assert.match(messageOf("/inbound/NO/a\0.xml"), /control characters/);
  assert.match(messageOf("/inbound/NO/a\r\n.xml"), /control characters/);
  assert.match(messageOf("/inbound/NO/a\u0085.xml"), /control characters/);
  assert.match(messageOf("/inbound/NO/lmx.\u202eexe"), /control characters/);
  assert.match(messageOf("inbound\\NO\\a.xml"), /backslash/);
  assert.match(messageOf(Buffer.from([0x2f, 0x61, 0xff])), /UTF-8/);
  assert.match(messageOf(Buffer.from([0x2f, 0xc0, 0xae, 0xc0, 0xae])), /UTF-8/, "two dots in an overlong form");
  assert.match(messageOf(Buffer.from([0xed, 0xa0, 0x80])), /UTF-8/, "half of a surrogate pair");
});

test("names and paths are bounded in bytes", () => {
  assert.equal(pathOf("x".repeat(255)).length, 256);
  assert.match(messageOf("x".repeat(256)), /255/);
  assert.match(messageOf("ä".repeat(128)), /255/);
  assert.match(messageOf("a/".repeat(2_049)), /4096/);
});

test("any bytes are read or refused", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      const read = readPath(bytes);
      if (read.ok) assert.ok(read.value.every((name) => !/[\0/\\]/.test(name)));
    }),
  );
});
