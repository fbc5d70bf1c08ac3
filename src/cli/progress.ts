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

/**
 * Prints progress to standard error, where that is no terminal: a line for each tenth.
 * @returns a function to call with 0 to 1.
 */
export function progressLines(stream: Pick<NodeJS.WriteStream, "write"> = process.stderr): (part: number) => void {
  let reported = 0;
  return (part) => {
    const tenth = Math.floor(part * 10);
    if (tenth <= reported) return;
    reported = tenth;
    stream.write(`${tenth * 10} %\n`);
  };
}
