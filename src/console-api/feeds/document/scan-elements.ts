/** An element whose start tag the scan has found. */
export interface ScannedElement {
  /** Offset of its `<`. */
  readonly offset: number;
  readonly name: string;
  /** One of the requested paths, as it was requested. */
  readonly path: string | undefined;
  /** Its text up to the first element within it. */
  content(): string;
}

interface Node {
  readonly children: Map<string, Node>;
  /** Children by the value of their attribute `name`, by the name of the element. */
  readonly named: Map<string, Map<string, Node>>;
  /** The path that ends here. */
  path: string | undefined;
}

interface Open {
  readonly node: Node | undefined;
  /** The number of elements of each name so far; kept only where a path needs it. */
  readonly counts: Map<string, number>;
}

/** The number of tags that are read before other work gets a turn. */
const tagsAtOnce = 20_000;

/**
 * Scans the start tags of a document, well formed or not, and yields the requested elements. It yields undefined from
 * time to time, so that a caller that scans a large document can let other work run. The scan reads no entities, and
 * ignores the names of end tags: a document that is not well formed has a finding with a line, and the scan only shows
 * positions.
 *
 * @param paths steps below the root with numbers, `lines[1]/line[3]`, or with a name, `attribute[@name='Revision']`;
 * the root as `name[1]`
 * @param names elements of these names are yielded at any place
 */
export function* scanElements(
  text: string,
  paths: readonly string[],
  names: ReadonlySet<string>,
): Generator<ScannedElement | undefined> {
  const tree = treeOf(paths);
  const open: Open[] = [];
  let left = tagsAtOnce;
  for (let at = text.indexOf("<"); at !== -1; at = text.indexOf("<", at)) {
    const skipped = endOfAside(text, at);
    if (skipped !== undefined) {
      at = skipped;
      continue;
    }
    if (--left === 0) {
      left = tagsAtOnce;
      yield undefined;
    }
    const end = endOfTag(text, at);
    if (text.charAt(at + 1) === "/") {
      open.pop();
      at = end;
      continue;
    }
    const name = nameAt(text, at + 1);
    const parent = open.at(-1);
    const node = parent ? childOf(parent, name, () => text.slice(at, end)) : tree;
    const rootPath = parent ? undefined : tree.children.get(`${name}[1]`)?.path;
    const path = parent ? node?.path : rootPath;
    if (path !== undefined || names.has(name)) {
      yield { offset: at, name, path, content: () => contentAt(text, end) };
    }
    if (text.charAt(end - 2) !== "/") open.push({ node, counts: new Map() });
    at = end;
  }
}

function treeOf(paths: readonly string[]): Node {
  const newNode = (): Node => ({ children: new Map(), named: new Map(), path: undefined });
  const root = newNode();
  for (const path of paths) {
    let node = root;
    for (const step of path.split("/")) {
      const [, name, value] = /^(.*)\[@name='(.*)'\]$/s.exec(step) ?? [];
      const children = name === undefined ? node.children : (node.named.get(name) ?? new Map<string, Node>());
      if (name !== undefined) node.named.set(name, children);
      const key = value ?? step;
      const child = children.get(key) ?? newNode();
      children.set(key, child);
      node = child;
    }
    node.path = path;
  }
  return root;
}

function childOf(parent: Open, name: string, tag: () => string): Node | undefined {
  const { node, counts } = parent;
  if (!node || node.children.size + node.named.size === 0) return undefined;
  const number = (counts.get(name) ?? 0) + 1;
  counts.set(name, number);
  const byNumber = node.children.get(`${name}[${number}]`);
  if (byNumber) return byNumber;
  const named = node.named.get(name);
  return named?.get(/\sname\s*=\s*["']([^"']*)["']/.exec(tag())?.[1] ?? "");
}

/** The offset after a comment, a CDATA section, a declaration or an instruction; undefined where none begins here. */
function endOfAside(text: string, at: number): number | undefined {
  const mark = text.charAt(at + 1);
  if (mark === "?") return endAfter(text, "?>", at);
  if (mark !== "!") return undefined;
  if (text.startsWith("<!--", at)) return endAfter(text, "-->", at + 4);
  if (text.startsWith("<![CDATA[", at)) return endAfter(text, "]]>", at);
  return endAfter(text, ">", at);
}

function endAfter(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from);
  return at === -1 ? text.length : at + mark.length;
}

/** The offset after the `>` of a tag; a `>` within quotes does not end the tag. */
function endOfTag(text: string, at: number): number {
  let end = text.indexOf(">", at);
  if (end === -1) return text.length;
  const tag = text.slice(at, end);
  if (!/["']/.test(tag)) return end + 1;
  for (let quote = "", i = at; i < text.length; i++) {
    const sign = text.charAt(i);
    if (quote !== "") {
      if (sign === quote) quote = "";
    } else if (sign === '"' || sign === "'") quote = sign;
    else if (sign === ">") {
      end = i;
      break;
    }
  }
  return end + 1;
}

function nameAt(text: string, at: number): string {
  let end = at;
  while (end < text.length && !" \t\r\n/>".includes(text.charAt(end))) end++;
  return text.slice(at, end);
}

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/** No identifier is longer. */
const contentMax = 10_000;

function contentAt(text: string, from: number): string {
  const isData = text.startsWith("<![CDATA[", from);
  const end = text.indexOf(isData ? "]]>" : "<", from);
  const start = isData ? from + 9 : from;
  const raw = text.slice(start, Math.min(start + contentMax, end === -1 ? text.length : end)).trim();
  return raw.replace(/&(?:#(x?)([0-9a-fA-F]{1,6})|([a-z]+));/g, (whole, isHex: string, digits: string, name: string) =>
    digits === undefined
      ? (entities[name] ?? whole)
      : String.fromCodePoint(Math.min(0x10ffff, Number.parseInt(digits, isHex ? 16 : 10))),
  );
}
