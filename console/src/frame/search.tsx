import { Modal } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { type KeyboardEvent, useEffect, useState } from "react";
import { useAnswer } from "../data.ts";
import { Problem } from "../parts/loading/problem.tsx";
import { StateBadge } from "../parts/state-badge.tsx";
import { useGo } from "../scope.ts";
import { useScreens } from "../screens.tsx";
import { readOrderSearch } from "./order-search.ts";
import styles from "./search.module.css";
import { fieldHits, type Hit, hitsOf, screenHits } from "./search-hits.ts";

const quietMs = 150;
const lettersMin = 2;

interface SearchProps {
  readonly isOpen: boolean;
  close(): void;
}

/** Navigates to any screen, token, order, SKU, parcel, lot or serial number, and to the orders that fields such as `status:packed` find. */
export function Search({ isOpen, close }: SearchProps) {
  return (
    <Modal.Root opened={isOpen} onClose={close} size={640} padding={0} yOffset="12vh" transitionProps={{ duration: 0 }}>
      <Modal.Overlay />
      <Modal.Content aria-label="Search">{isOpen ? <SearchBox close={close} /> : null}</Modal.Content>
    </Modal.Root>
  );
}

function SearchBox({ close }: { close(): void }) {
  const [text, setText] = useState("");
  const [chosen, setChosen] = useState(0);
  const [searched] = useDebouncedValue(text.trim(), quietMs);
  const go = useGo();
  const screens = useScreens();
  const fields = readOrderSearch(text);
  const isAsked = searched.length >= lettersMin && fields === undefined;
  const query = useAnswer("/search", { query: { text: searched } }, { isReady: isAsked });
  const hits =
    fields === undefined
      ? [...hitsOf(isAsked ? (query.data?.items ?? []) : []), ...screenHits(screens, text.trim())]
      : fieldHits(fields, text.trim());
  const open = (hit: Hit | undefined) => {
    if (!hit) return;
    close();
    go(hit.to);
  };
  // An immediate Enter applies to the pending query, not to the results still shown.
  const [wantsFirst, setWantsFirst] = useState(false);
  const isSettled = fields !== undefined || (text.trim() === searched && !(isAsked && query.isFetching));
  useEffect(() => {
    if (!wantsFirst || !isSettled) return;
    setWantsFirst(false);
    open(hits[0]);
  });
  const press = (event: KeyboardEvent) => {
    if (event.key === "Enter" && isSettled) open(hits[chosen]);
    else if (event.key === "Enter") setWantsFirst(true);
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step === 0 || hits.length === 0) return;
    event.preventDefault();
    setChosen((chosen + step + hits.length) % hits.length);
  };
  return (
    <div>
      <input
        className={styles.input}
        type="text"
        role="combobox"
        aria-label="Search"
        aria-expanded={hits.length > 0}
        aria-controls="search-hits"
        aria-activedescendant={hits[chosen] ? `search-hit-${chosen}` : undefined}
        placeholder="Order, customer, postcode, SKU, parcel, lot, serial, token, screen, or status:packed"
        autoComplete="off"
        spellCheck={false}
        // biome-ignore lint/a11y/noAutofocus: it was opened to write into it, and the first letters must not be lost.
        autoFocus
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setChosen(0);
        }}
        onKeyDown={press}
      />
      <div id="search-hits" role="listbox" aria-label="Results" className={styles.hits}>
        {hits.map((hit, i) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are heard by the field that has the focus.
          <div
            key={hit.key}
            id={`search-hit-${i}`}
            role="option"
            tabIndex={-1}
            aria-selected={i === chosen}
            className={styles.hit}
            onClick={() => open(hit)}
            onMouseMove={() => setChosen(i)}
          >
            <span className={styles.word}>{hit.word}</span>
            <span className={styles.text}>{hit.text}</span>
            <span className={styles.label}>{hit.label}</span>
            {hit.badge ? <StateBadge {...hit.badge} /> : null}
          </div>
        ))}
      </div>
      <p className={styles.note} role="status">
        {fields?.faults[0] ?? noteOf(text.trim(), hits.length, isAsked && query.isFetching)}
      </p>
      {query.error ? <Problem error={query.error} what="The results" retry={() => void query.refetch()} /> : null}
    </div>
  );
}

function noteOf(query: string, count: number, isFetching: boolean): string {
  if (isFetching) return "Searching";
  if (query.length < lettersMin) return "Type at least two characters. Enter opens the marked result.";
  return count === 0
    ? `No match for ${query}. Type a complete number or its beginning.`
    : "Enter opens the marked result.";
}
