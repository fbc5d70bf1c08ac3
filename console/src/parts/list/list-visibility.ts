import { useEffect, useState } from "react";
import type { Column } from "./list-types.ts";

export type Visibility = Record<string, boolean>;
export type SetVisibility = (next: Visibility | ((before: Visibility) => Visibility)) => void;

const storageKey = (id: string) => `crossdock.columns.${id}`;

/** The visible columns of a list, stored in this browser. */
export function useVisibility<Row>(id: string, columns: readonly Column<Row>[]): [Visibility, SetVisibility] {
  const [visibility, setVisibility] = useState<Visibility>(() => ({ ...initialOf(columns), ...readKept(id) }));
  useEffect(() => {
    try {
      localStorage.setItem(storageKey(id), JSON.stringify(visibility));
    } catch {
      // Without storage, the choice lasts until the page is reloaded.
    }
  }, [id, visibility]);
  return [visibility, setVisibility];
}

export function initialOf<Row>(columns: readonly Column<Row>[]): Visibility {
  return Object.fromEntries(columns.map(({ key, isHiddenAtFirst }) => [key, isHiddenAtFirst !== true]));
}

function readKept(id: string): Visibility {
  try {
    return JSON.parse(localStorage.getItem(storageKey(id)) ?? "{}") as Visibility;
  } catch {
    return {};
  }
}
