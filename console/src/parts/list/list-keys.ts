// Lists by keyboard, for all lists at once: the frame passes each key on, except those of texts.

/** Marks the region of a list, for `listKey`. */
export const listMark = { "data-list": "" } as const;

const list = "[data-list]";
const row = "tbody tr:not([data-gap])";
/** Parts in which the arrow keys have their own meaning. */
const withOwnArrows =
  "[aria-haspopup],[aria-valuenow],[role=menu],[role=listbox],[role=radiogroup],[role=tablist],[role=separator]";
const steps: Readonly<Record<string, 1 | -1>> = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 };

/** Focuses the first row of the first list of the screen. @returns whether there is one */
export function enterList(): boolean {
  return focusRow(document.querySelector(`main ${list} ${row}`));
}

/**
 * ↓ or j goes to the next row, and from elsewhere into the list; ↑ or k to the previous row; Enter opens the row whose
 * box has the focus, and x chooses the row.
 * @returns whether the key had an effect
 */
export function listKey({ key, target, shiftKey }: KeyboardEvent): boolean {
  if (shiftKey || !(target instanceof Element)) return false;
  const current = target.closest(list) && target.closest(row);
  const step = steps[key];
  if (step !== undefined) {
    if (current) return focusRow(step === 1 ? current.nextElementSibling : current.previousElementSibling);
    if (target.closest(withOwnArrows) || step === -1) return false;
    const first = target.closest(list)?.querySelector(row);
    return first ? focusRow(first) : target.closest("[role=dialog]") === null && enterList();
  }
  const box = current?.querySelector<HTMLElement>("input[type=checkbox]");
  if (!current || !box) return false;
  if (key === "x") box.click();
  else if (key === "Enter" && target === box) (current.querySelector("a") ?? (current as HTMLElement)).click();
  else return false;
  return true;
}

function focusRow(element: Element | null): boolean {
  const control = element?.querySelector<HTMLElement>("a,button,input");
  control?.focus();
  return control != null;
}
