const width = 30;

/**
 * Shows on standard error how far something is, where that is a terminal: a pipe gets nothing.
 * @returns to be called with 0 to 1; 1 ends the line.
 */
export function progressBar(stream: NodeJS.WriteStream = process.stderr): (part: number) => void {
  if (!stream.isTTY) return () => {};
  let shown = "";
  return (part) => {
    const full = Math.round(part * width);
    const text = `[${"=".repeat(full)}${" ".repeat(width - full)}] ${Math.floor(part * 100)} %`;
    if (text !== shown) stream.write(`\r${text}`);
    shown = text;
    if (part >= 1) stream.write("\n");
  };
}
