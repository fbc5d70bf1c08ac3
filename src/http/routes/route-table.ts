/** Knows which methods a path takes, for the 405 and its `Allow`: Fastify itself answers 404 to another method. */
export interface RouteTable {
  add(method: string | readonly string[], pattern: string): void;
  /**
   * Methods of the routes that match the path, sorted; empty when there is none. @param path as in the request line.
   */
  methodsOf(path: string): readonly string[];
}

export function createRouteTable(): RouteTable {
  const routes = new Map<string, { readonly regex: RegExp; readonly methods: Set<string> }>();
  return {
    add(method, pattern) {
      const route = routes.get(pattern) ?? { regex: toRegex(pattern), methods: new Set<string>() };
      for (const verb of typeof method === "string" ? [method] : method) route.methods.add(verb);
      routes.set(pattern, route);
    },
    methodsOf(path) {
      const decoded = decode(path);
      const methods = new Set<string>();
      for (const route of routes.values()) {
        if (route.regex.test(decoded)) for (const method of route.methods) methods.add(method);
      }
      return [...methods].sort();
    },
  };
}

/** Decodes as the router does: an escaped slash does not separate segments. */
function decode(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

/** `/a/:b/*` of find-my-way; a parameter may have its own pattern in brackets, `:type(^CAT|PO$)`. */
function toRegex(pattern: string): RegExp {
  let source = "";
  for (let at = 0; at < pattern.length; ) {
    const name = /^:[A-Za-z0-9_]+/.exec(pattern.slice(at))?.[0];
    if (name !== undefined) {
      at += name.length;
      const group = pattern[at] === "(" ? bracketed(pattern, at) : "";
      at += group.length;
      source += group === "" ? "[^/]+" : `(?:${group.slice(1, -1).replace(/^\^/, "").replace(/\$$/, "")})`;
    } else {
      const sign = pattern[at] as string;
      source += sign === "*" ? ".*" : sign.replace(/[\\^$.|?+()[\]{}]/, "\\$&");
      at++;
    }
  }
  return new RegExp(`^${source}$`);
}

function bracketed(text: string, from: number): string {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    if (text[at] === "(") depth++;
    if (text[at] === ")" && --depth === 0) return text.slice(from, at + 1);
  }
  return text.slice(from);
}
