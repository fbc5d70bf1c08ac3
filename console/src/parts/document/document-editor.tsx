import { Input } from "@mantine/core";
import { type RefObject, useEffect, useId, useLayoutEffect, useRef, useState } from "react";
import { endOfLine, linesAt, lineTotalOf, movedOffsets, offsetOf } from "./document-edit.ts";
import { marked } from "./document-line.tsx";
import type { DocumentFault } from "./document-source.ts";
import styles from "./document-view.module.css";
import { FaultList } from "./fault-list.tsx";

/** Characters that a browser lays out, and changes at a key, in less than 200 ms. */
export const editableMax = 512 * 1024;

const rowHeight = 22;
const padding = 8;
const gutterPadding = 12;
/** Beyond this column, the line is marked, and not the place. */
const markedColumnMax = 2_000;

interface DocumentEditorProps {
  readonly label: string;
  readonly description: string;
  readonly error?: string | undefined;
  /** At most `editableMax` characters, with lines that end in `\n`. */
  readonly value: string;
  /** Faults of the text when it was validated; undefined before. Each moves with the text that it was found in. */
  readonly faults: readonly DocumentFault[] | undefined;
  /** @param value longer than `editableMax` where a text is pasted that is */
  onChange(value: string): void;
}

interface Found {
  readonly faults: readonly DocumentFault[] | undefined;
  /** Places of the faults in the present text. */
  readonly offsets: readonly (number | null)[];
  readonly chosen: number | undefined;
}

const foundIn = (text: string, faults: readonly DocumentFault[] | undefined): Found => ({
  faults,
  offsets: (faults ?? []).map(({ line, column }) => (line === null ? null : offsetOf(text, line, column))),
  chosen: undefined,
});

/** A document that is edited: line numbers, the faulty lines marked, and a list of faults that leads to each. */
export function DocumentEditor({ label, description, error, value, faults, onChange }: DocumentEditorProps) {
  const id = useId();
  const box = useRef<HTMLTextAreaElement>(null);
  const [found, setFound] = useState(() => foundIn(value, faults));
  if (found.faults !== faults) setFound(foundIn(value, faults));
  const { offsets, chosen } = found;
  const lines = linesAt(value, offsets);
  const lineTotal = lineTotalOf(value);

  const choose = (fault: number, focus: boolean) => {
    const offset = offsets[fault];
    const area = box.current;
    if (offset === null || offset === undefined || area === null) return;
    setFound({ ...found, chosen: fault });
    area.setSelectionRange(offset, offset);
    if (focus) area.focus();
    const start = value.lastIndexOf("\n", offset - 1) + 1;
    area.scrollTop = padding + ((lines[fault] ?? 1) - 0.5) * rowHeight - area.clientHeight / 2;
    area.scrollLeft = widthOf(area, value.slice(start, offset)) - area.clientWidth / 2;
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each validation, and not at each key.
  useEffect(() => {
    const first = offsets.findIndex((offset) => offset !== null);
    if (first >= 0) choose(first, false);
  }, [faults]);

  const marks = new Map<number, Mark>();
  (faults ?? []).forEach(({ kind }, i) => {
    const line = lines[i];
    const offset = offsets[i];
    if (typeof line !== "number" || typeof offset !== "number") return;
    if (marks.get(line)?.kind !== "error") marks.set(line, { kind, offset });
  });
  return (
    <Input.Wrapper id={id} label={label} description={description} error={error}>
      <div className={`${styles.view} ${styles.editor}`}>
        {faults === undefined ? null : (
          <FaultList
            label={label}
            faults={faults.map((fault, i) => ({ ...fault, line: lines[i] ?? null, row: lines[i] ?? null }))}
            lineTotal={lineTotal}
            chosen={chosen}
            choose={(fault) => choose(fault, true)}
            hasRemedies
          />
        )}
        <div
          className={styles.edited}
          style={{ ["--gutter" as string]: `calc(${digits(lineTotal)}ch + ${2 * gutterPadding}px)` }}
        >
          <textarea
            ref={box}
            id={id}
            className={styles.area}
            value={value}
            onChange={(event) => {
              const next = event.currentTarget.value;
              setFound({ ...found, offsets: movedOffsets(offsets, value, next) });
              onChange(next);
            }}
            onPaste={(event) => {
              // A browser would lay out all of it first, which takes seconds.
              const pasted = event.clipboardData.getData("text");
              if (value.length + pasted.length <= editableMax) return;
              event.preventDefault();
              const { selectionStart, selectionEnd } = event.currentTarget;
              onChange(value.slice(0, selectionStart) + pasted + value.slice(selectionEnd));
            }}
            aria-describedby={`${id}-description${error === undefined ? "" : ` ${id}-error`}`}
            aria-invalid={[...marks.values()].some(({ kind }) => kind === "error")}
            spellCheck={false}
            autoCapitalize="off"
            autoCorrect="off"
            wrap="off"
          />
          {/* After the text area, which it measures when both are drawn first. */}
          <Gutter box={box} text={value} lineTotal={lineTotal} marks={marks} />
        </div>
      </div>
    </Input.Wrapper>
  );
}

const digits = (lineTotal: number) => Math.max(2, String(lineTotal).length);

/** Pixels of a text without line breaks, in the font of the editor. */
function widthOf(area: HTMLTextAreaElement, text: string): number {
  const canvas = document.createElement("canvas").getContext("2d");
  if (canvas === null) return 0;
  canvas.font = getComputedStyle(area).font;
  return canvas.measureText("0").width * text.length;
}

interface Mark {
  readonly kind: "error" | "warning";
  readonly offset: number;
}

interface GutterProps {
  readonly box: RefObject<HTMLTextAreaElement | null>;
  readonly text: string;
  readonly lineTotal: number;
  readonly marks: ReadonlyMap<number, Mark>;
}

/** The numbers of the visible lines, and the marks behind their text: drawn again at each scrolling. */
function Gutter({ box, text, lineTotal, marks }: GutterProps) {
  const [{ top, left, height }, setSeen] = useState({ top: 0, left: 0, height: 0 });
  useLayoutEffect(() => {
    const area = box.current;
    if (area === null) return;
    const look = () => setSeen({ top: area.scrollTop, left: area.scrollLeft, height: area.clientHeight });
    const sizes = new ResizeObserver(look);
    sizes.observe(area);
    area.addEventListener("scroll", look);
    return () => {
      sizes.disconnect();
      area.removeEventListener("scroll", look);
    };
  }, [box]);
  const first = Math.max(1, Math.floor((top - padding) / rowHeight) + 1);
  const last = Math.min(lineTotal, Math.ceil((top + height - padding) / rowHeight));
  const seen = Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => {
    const line = first + i;
    return { line, mark: marks.get(line), place: { top: padding + (line - 1) * rowHeight - top } };
  });
  return (
    <>
      <div className={styles.backs} style={{ height }} aria-hidden>
        {seen.map(({ line, mark, place }) =>
          mark === undefined ? null : (
            <div key={line} className={styles.row} data-kind={mark.kind} data-row={line} style={place}>
              <code className={styles.text} style={{ marginLeft: -left }}>
                {ghostOf(text, mark.offset)}
              </code>
            </div>
          ),
        )}
      </div>
      <div className={styles.gutter} style={{ height }} aria-hidden>
        {seen.map(({ line, mark, place }) => (
          <span key={line} data-kind={mark?.kind} style={place}>
            {line}
          </span>
        ))}
      </div>
    </>
  );
}

/** The invisible copy of a line that carries the mark of its place. */
function ghostOf(text: string, offset: number) {
  const start = text.lastIndexOf("\n", offset - 1) + 1;
  const column = offset - start;
  if (column > markedColumnMax) return null;
  return marked(text.slice(start, Math.min(endOfLine(text, offset), start + 2 * markedColumnMax)), column);
}
