// One of our documents as a tree, for reading. The engine has already checked that it is well-formed and valid.

export interface XmlNode {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlNode[];
  readonly content: string;
  /** Text of the first element at a path such as `lines/line/sku`; undefined if there is none. */
  text(path: string): string | undefined;
  /** All elements at a path. */
  all(path: string): readonly XmlNode[];
  /** The texts of several children at once. */
  texts(...names: string[]): (string | undefined)[];
}

interface Open {
  readonly name: string;
  readonly attributes: Record<string, string>;
  readonly children: XmlNode[];
  content: string;
}

export function parseXml(xml: string): XmlNode {
  const top: Open = { name: "", attributes: {}, children: [], content: "" };
  const open = [top];
  for (const [, close, name, attributes, isEmpty, content] of xml.matchAll(
    /<(\/?)([\w:]+)((?:\s+[\w:]+="[^"]*")*)\s*(\/?)>|([^<]+)/g,
  )) {
    const parent = open.at(-1) as Open;
    if (content !== undefined) {
      parent.content += unescapeXml(content);
    } else if (close === "/") {
      open.pop();
      (open.at(-1) as Open).children.push(nodeOf(parent));
    } else {
      const pairs = (attributes as string).matchAll(/([\w:]+)="([^"]*)"/g);
      const opened: Open = {
        name: name as string,
        attributes: Object.fromEntries([...pairs].map(([, key, value]) => [key, unescapeXml(value as string)])),
        children: [],
        content: "",
      };
      if (isEmpty === "/") parent.children.push(nodeOf(opened));
      else open.push(opened);
    }
  }
  return top.children[0] as XmlNode;
}

function unescapeXml(text: string): string {
  return text.replace(/&(lt|gt|quot|apos|amp);/g, (_, name: string) => {
    return { lt: "<", gt: ">", quot: '"', apos: "'", amp: "&" }[name] as string;
  });
}

function nodeOf(read: Open): XmlNode {
  const node: XmlNode = {
    ...read,
    all: (path) =>
      path
        .split("/")
        .reduce<readonly XmlNode[]>(
          (nodes, name) => nodes.flatMap(({ children }) => children.filter((child) => child.name === name)),
          [node],
        ),
    text: (path) => node.all(path)[0]?.content,
    texts: (...names) => names.map((name) => node.text(name)),
  };
  return node;
}
