/** The XSDs number lines from 1 to 999 999, so the rows of a kit's components are numbered above. */
const rowsOfLine = 1_000_000;

/** The number of a further row of a line of a kit: 1 for the kits that are taken from stock, 2 and above for components. */
export const rowNumberOf = (lineNumber: number, place: number): number => place * rowsOfLine + lineNumber;

/** Whether a row is of kits that are taken from stock of the kit. */
export const isOfStock = (rowNumber: number): boolean => Math.floor(rowNumber / rowsOfLine) === 1;

/** The line that a client knows, of any of its rows. */
export const lineNumberOf = (rowNumber: number): number => rowNumber % rowsOfLine;
