import assert from "node:assert/strict";
import { test } from "node:test";
import type { Folder } from "#/intake/sftp/file-system.ts";
import { createTree } from "#/intake/sftp/server/tree.ts";

const folder: Folder = { list: async () => [], find: async () => undefined };
const archive: Folder = { ...folder };
const tree = createTree(
  new Map([
    ["/inbound/NO", folder],
    ["/inbound/CAT", folder],
    ["/acks", folder],
    ["/outbound/OS", folder],
    ["/outbound/archive", archive],
  ]),
);

test("the folders above the mounted ones are made of their paths", () => {
  assert.deepEqual(tree([]), {
    kind: "directory",
    path: "/",
    folder: undefined,
    children: ["inbound", "acks", "outbound"],
  });
  assert.deepEqual(tree(["outbound"]), {
    kind: "directory",
    path: "/outbound",
    folder: undefined,
    children: ["OS", "archive"],
  });
  const mounted = tree(["outbound", "archive"]);
  assert.ok(mounted?.kind === "directory");
  assert.equal(mounted.folder, archive);
  assert.deepEqual(mounted.children, []);
});

test("files are only in mounted folders", () => {
  assert.deepEqual(tree(["inbound", "NO", "a.xml"]), {
    kind: "file",
    folder,
    folderPath: "/inbound/NO",
    name: "a.xml",
  });
  for (const names of [["a.xml"], ["inbound", "a.xml"], ["inbound", "NO", "a", "b"], ["etc", "passwd"]]) {
    assert.equal(tree(names), undefined, names.join("/"));
  }
});
