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
