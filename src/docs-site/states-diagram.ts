/** The states of an object as rows, and its transitions as arcs: those to a later row on the right, the others on the left. */

interface Row {
  readonly state: string;
  readonly next: readonly string[];
}

const rowPx = 36;
const boxPx = { height: 24, perLetter: 7.3, padding: 20 };
/** How far an arc stands out: at least, and for each row that it spans. */
const bulgePx = { least: 14, perRow: 15 };
/** Arcs leave a box below its middle and reach it above, so that an end shows its direction. */
const endPx = 5;
const marginPx = 10;

/** An SVG with its own light background: a page shows it in both schemes. */
export function statesDiagram(title: string, rows: readonly Row[]): string {
  const places = new Map(rows.map(({ state }, i) => [state, i]));
  const arcs = rows.flatMap(({ next }, from) => next.map((state) => ({ from, to: places.get(state) as number })));
  const bulgeOf = ({ from, to }: (typeof arcs)[number]) => bulgePx.least + bulgePx.perRow * Math.abs(to - from);
  const widest = (isForward: boolean) =>
    Math.max(0, ...arcs.filter(({ from, to }) => to > from === isForward).map((arc) => 0.75 * bulgeOf(arc)));
  const letters = Math.max(...rows.map(({ state }) => state.length));
  const width = Math.ceil(letters * boxPx.perLetter + boxPx.padding);
  const left = Math.ceil(marginPx + widest(false));
  const size = { width: left + width + Math.ceil(widest(true)) + marginPx, height: rows.length * rowPx + marginPx };
  const middleOf = (row: number) => marginPx / 2 + row * rowPx + rowPx / 2;
  const boxes = rows.map(({ state }, row) => {
    const y = middleOf(row);
    return `<rect x="${left}" y="${y - boxPx.height / 2}" width="${width}" height="${boxPx.height}" rx="4" class="box"/><text x="${left + width / 2}" y="${y + 4}">${state}</text>`;
  });
  const curves = arcs.map((arc) => {
    const isForward = arc.to > arc.from;
    const x = isForward ? left + width : left;
    const out = isForward ? x + bulgeOf(arc) : x - bulgeOf(arc);
    const down = isForward ? endPx : -endPx;
    const [from, to] = [middleOf(arc.from) + down, middleOf(arc.to) - down];
    return `<path d="M${x} ${from}C${out} ${from} ${out} ${to} ${x} ${to}"/>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.width} ${size.height}" width="${size.width}" height="${size.height}" role="img">
<title>${title}: states and transitions</title>
<style>text{font:12px ui-monospace,monospace;text-anchor:middle;fill:#1f2937}.box{fill:#e0e7ff;stroke:#4f46e5}path{fill:none;stroke:#4b5563;marker-end:url(#end)}</style>
<defs><marker id="end" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="6" markerHeight="6" orient="auto"><path d="M0 0L8 4L0 8z" style="fill:#4b5563;stroke:none;marker-end:none"/></marker></defs>
<rect width="${size.width}" height="${size.height}" rx="6" fill="#fff"/>
${[...boxes, ...curves].join("\n")}
</svg>
`;
}
