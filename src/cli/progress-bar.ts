const width = 30;

/**
 * Shows progress on standard error, where that is a terminal: a pipe receives nothing.
 * @returns a function to call with 0 to 1; 1 ends the line.
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
