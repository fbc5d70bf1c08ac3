const width = 30;

/**
 * Shows progress on standard error, where that is a terminal: a pipe receives nothing.
 * @returns a function to call with 0 to 1; 1 ends the line.
 */
export function progressBar(): (part: number) => void {
  if (!process.stderr.isTTY) return () => {};
  let shown = "";
  return (part) => {
    const full = Math.round(part * width);
    const text = `[${"=".repeat(full)}${" ".repeat(width - full)}] ${Math.floor(part * 100)} %`;
    if (text !== shown) process.stderr.write(`\r${text}`);
    shown = text;
    if (part >= 1) process.stderr.write("\n");
  };
}

/** Shows progress on standard error: a bar on a terminal, else a line for each tenth. */
export function showProgress(): (part: number) => void {
  return process.stderr.isTTY ? progressBar() : progressLines();
}

function progressLines(): (part: number) => void {
  let reported = 0;
  return (part) => {
    const tenth = Math.floor(part * 10);
    if (tenth <= reported) return;
    reported = tenth;
    process.stderr.write(`${tenth * 10} %\n`);
  };
}
