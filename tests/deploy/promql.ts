// The part of PromQL that a test needs to compare an expression with the catalogue: its metrics, and the labels in its
// selectors and groupings. promtool checks that an expression is valid PromQL.

export interface Matcher {
  readonly label: string;
  readonly operator: "=" | "!=" | "=~" | "!~";
  readonly value: string;
}

export interface Selector {
  readonly metric: string;
  readonly matchers: readonly Matcher[];
}

export interface Expression {
  readonly selectors: readonly Selector[];
  /** Labels that an expression groups by, matches on, or removes. */
  readonly grouped: readonly string[];
  /** Names before a parenthesis. */
  readonly functions: readonly string[];
}

const pattern =
  /(?<space>\s+|#[^\n]*)|(?<text>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|(?<number>\d+(?:\.\d+)?(?:e[+-]?\d+)?(?:ms|[smhdwy])?(?:\d+(?:ms|[smhdwy]))*|\$__rate_interval|\$__interval)|(?<name>[a-zA-Z_:][a-zA-Z0-9_:]*)|(?<sign>=~|!~|!=|==|<=|>=|[-+*/%^<>=(){}[\],:@])/gy;

interface Token {
  readonly kind: string;
  readonly text: string;
}

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  pattern.lastIndex = 0;
  while (pattern.lastIndex < text.length) {
    const at = pattern.lastIndex;
    const found = pattern.exec(text);
    if (!found?.groups) throw new Error(`no PromQL from here on: ${text.slice(at)}`);
    const [kind = "", token = ""] = Object.entries(found.groups).find(([, value]) => value !== undefined) ?? [];
    if (kind !== "space") tokens.push({ kind, text: token });
  }
  return tokens;
}

const groupings: ReadonlySet<string> = new Set(["by", "without", "on", "ignoring", "group_left", "group_right"]);
const operators: ReadonlySet<string> = new Set(["and", "or", "unless", "bool", "offset", "inf", "nan"]);

export function readExpression(text: string): Expression {
  const tokens = tokensOf(text);
  const selectors: Selector[] = [];
  const grouped: string[] = [];
  const functions: string[] = [];
  const signAt = (i: number) => (tokens[i]?.kind === "sign" ? tokens[i]?.text : undefined);

  for (let i = 0; i < tokens.length; i++) {
    const { kind, text: name } = tokens[i] as Token;
    if (kind !== "name" || operators.has(name.toLowerCase())) continue;
    if (groupings.has(name)) {
      if (signAt(i + 1) !== "(") continue;
      for (i += 2; signAt(i) !== ")"; i++) if (tokens[i]?.kind === "name") grouped.push((tokens[i] as Token).text);
      continue;
    }
    const next = signAt(i + 1);
    if (next === "(" || groupings.has(tokens[i + 1]?.text ?? "")) {
      functions.push(name);
      continue;
    }
    const matchers: Matcher[] = [];
    if (next === "{") {
      i += 2;
      while (signAt(i) !== "}") {
        const [label, operator, value] = tokens.slice(i, i + 3) as [Token, Token, Token];
        if (value?.kind !== "text") throw new Error(`a matcher of ${name} is not understood: ${text}`);
        matchers.push({
          label: label.text,
          operator: operator.text as Matcher["operator"],
          value: value.text.slice(1, -1),
        });
        i += signAt(i + 3) === "," ? 4 : 3;
      }
    }
    selectors.push({ metric: name, matchers });
  }
  return { selectors, grouped, functions };
}
