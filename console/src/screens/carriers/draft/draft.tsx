import { createContext, type ReactNode, useContext, useState } from "react";
import type { AnswerOf } from "../../../answer-of.ts";
import { api } from "../../../api.ts";
import { useData } from "../../../data.ts";
import type { CarrierData } from "../carrier-data.ts";

type Stored = AnswerOf<"/carrierData/get">;

interface Finding {
  /** JSON pointer. */
  readonly pointer: string;
  readonly message: string;
}

export interface Draft {
  /** undefined: the operator's default. */
  readonly owner: string | undefined;
  /** The active set; null if there is none yet. */
  readonly held: Stored | null;
  readonly data: CarrierData;
  /** Whether the draft differs from the active set. */
  readonly isChanged: boolean;
  /** Faults of the draft; undefined during validation. */
  readonly faults: readonly Finding[] | undefined;
  /** Places of the draft that are valid and rarely meant; empty during validation. */
  readonly warnings: readonly Finding[];
  /** The draft of the operator's set, kept while a client's set is shown; undefined if there is none. */
  readonly operatorDraft: CarrierData | undefined;
  change(data: CarrierData): void;
  discard(): void;
}

const DraftContext = createContext<Draft | undefined>(undefined);

/** The edited set. Available only below `DraftProvider`. */
export function useDraft(): Draft {
  const draft = useContext(DraftContext);
  if (!draft) throw new Error("there is no draft here");
  return draft;
}

/** A set without contents. */
export const nothing: CarrierData = { services: [], rateCards: [] };

interface DraftProviderProps {
  readonly owner: string | undefined;
  readonly held: Stored | null;
  readonly children: ReactNode;
}

/**
 * Keeps the draft until it is activated or discarded. It is stored in this browser tab, so that the user can visit
 * other screens.
 */
export function DraftProvider({ owner, held, children }: DraftProviderProps) {
  const key = keyOf(owner);
  const [edited, setEdited] = useState<CarrierData | undefined>(() => read(key));
  const data = edited ?? (held?.data as CarrierData | undefined) ?? nothing;
  const isChanged = edited !== undefined && JSON.stringify(edited) !== JSON.stringify(held?.data);
  const text = isChanged ? JSON.stringify(data) : "";
  const checked = useData(
    ["carrierData", "check", text],
    async (signal) => ({ text, ...(await api.POST("/carrierData/check", { body: { data }, signal })) }),
    { isReady: isChanged },
  );
  const keep = (next: CarrierData | undefined) => {
    setEdited(next);
    if (next === undefined) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, JSON.stringify(next));
  };
  const latest = checked.data?.text === text ? checked.data : undefined;
  const faults = isChanged ? latest?.faults : [];
  const warnings = (isChanged && latest?.warnings) || [];
  const operatorDraft = owner === undefined ? undefined : read(keyOf(undefined));
  const value: Draft = {
    owner,
    held,
    data,
    isChanged,
    faults,
    warnings,
    operatorDraft,
    change: keep,
    discard: () => keep(undefined),
  };
  return <DraftContext value={value}>{children}</DraftContext>;
}

const keyOf = (owner: string | undefined) => `crossdock carriers ${owner ?? ""}`;

function read(key: string): CarrierData | undefined {
  const text = sessionStorage.getItem(key);
  return text === null ? undefined : (JSON.parse(text) as CarrierData);
}
