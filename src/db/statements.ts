/** One statement of an SQL file, with the comments above it. */
export interface FileStatement {
  /** Without comments; spaces unchanged. */
  readonly text: string;
  /** The comment lines above and in it, without their dashes. */
  readonly comments: readonly string[];
}

/**
 * Tokens in which a semicolon does not end a statement: comments, string literals, quoted identifiers, and
 * dollar-quoted bodies.
 */
const token = /--([^\n]*)|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"(?:[^"]|"")*"|(\$\w*\$)[\s\S]*?\2|;/g;

/** The statements of a file, in order. */
export function splitStatements(file: string): FileStatement[] {
  const statements: FileStatement[] = [];
  let text = "";
  let comments: string[] = [];
  const end = () => {
    if (text.trim() !== "") {
      statements.push({ text: text.trim(), comments });
      comments = [];
    }
    text = "";
  };
  let from = 0;
  for (const match of file.matchAll(token)) {
    const [found, comment] = match;
    text += file.slice(from, match.index);
    from = match.index + found.length;
    if (found === ";") end();
    else if (comment !== undefined) comments.push(comment.trim());
    else if (!found.startsWith("/*")) text += found;
  }
  text += file.slice(from);
  end();
  return statements;
}
