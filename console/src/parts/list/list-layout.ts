import { useEffect, useState } from "react";
import type { ListColumn } from "./columns.tsx";

export type Density = "comfortable" | "compact";

/** Columns and density of a list, as a user has chosen them. */
export interface ListLayout {
  readonly visibility: Record<string, boolean>;
  /** Keys of columns; empty: the list's order. */
  readonly order: string[];
  /** Chosen pixels by column. */
  readonly widths: Readonly<Record<string, number>>;
  readonly density: Density;
}

export type SetLayout = (change: (before: ListLayout) => ListLayout) => void;

/** Width at which a heading still shows its first letters. */
export const columnPixelsMin = 56;

const storageKey = (id: string) => `crossdock.list.${id}`;

/** The layout of a list, stored in this browser. */
export function useLayout<Row>(id: string, columns: readonly ListColumn<Row>[]): [ListLayout, SetLayout] {
  const [layout, setLayout] = useState<ListLayout>(() => {
    const initial = initialLayout(columns);
    const stored = readStored(id);
    return { ...initial, ...stored, visibility: { ...initial.visibility, ...stored.visibility } };
  });
  useEffect(() => {
    try {
      localStorage.setItem(storageKey(id), JSON.stringify(layout));
    } catch {
      // Without storage, the choice lasts until the page is reloaded.
    }
  }, [id, layout]);
  return [layout, setLayout];
}

export function initialLayout<Row>(columns: readonly ListColumn<Row>[]): ListLayout {
  const visibility = Object.fromEntries(columns.map(({ key, isHiddenAtFirst }) => [key, isHiddenAtFirst !== true]));
  return { visibility, order: [], widths: {}, density: "comfortable" };
}

export function widthOf<Row>({ widths }: ListLayout, { key, width }: ListColumn<Row>): number {
  return widths[key] ?? width;
}

/** The first column says what a row is: it stays first and visible. */
export function isMovable<Row>(columns: readonly ListColumn<Row>[], { key }: ListColumn<Row>): boolean {
  return columns[0]?.key !== key;
}

/** @param keys of all columns, in their present order @param at the key whose place the column takes */
export function moveColumn(keys: readonly string[], key: string, at: string): string[] {
  const place = keys.indexOf(at);
  if (place < 1 || !keys.includes(key)) return [...keys];
  return keys.filter((other) => other !== key).toSpliced(place, 0, key);
}

function readStored(id: string): Partial<ListLayout> {
  try {
    return JSON.parse(localStorage.getItem(storageKey(id)) ?? "{}") as Partial<ListLayout>;
  } catch {
    return {};
  }
}
