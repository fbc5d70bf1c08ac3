import { Modal } from "@mantine/core";
import { useEffect, useRef } from "react";
import { undoNewest } from "../parts/actions/undo.tsx";
import { listKey } from "../parts/list/list-keys.ts";
import { useGo } from "../scope.ts";
import { useScreens } from "../screens.tsx";
import styles from "./shortcuts.module.css";

const chordMsMax = 1_200;

interface Actions {
  search(): void;
  help(): void;
}

/**
 * Shortcuts: `/` and Ctrl-K search, `g` and a letter opens a screen, `u` takes the last action back, `?` lists all, and
 * the keys of lists. They are off while the user types.
 */
export function useShortcuts(actions: Actions): void {
  const go = useGo();
  const screens = useScreens();
  const current = useRef({ actions, go, screens });
  current.current = { actions, go, screens };
  useEffect(() => {
    let chordAt = 0;
    const onKeyDown = (event: KeyboardEvent) => {
      const { actions, go, screens } = current.current;
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") {
        event.preventDefault();
        actions.search();
        return;
      }
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isWriting(event.target)) return;
      const entry = event.timeStamp - chordAt < chordMsMax ? screens.find(({ key }) => key === event.key) : undefined;
      chordAt = event.key === "g" ? event.timeStamp : 0;
      if (entry) go(`/${entry.path}`);
      else if (listKey(event)) event.preventDefault();
      else if (event.key === "/") {
        event.preventDefault();
        actions.search();
      } else if (event.key === "?") actions.help();
      else if (event.key === "u") undoNewest();
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);
}

function isWriting(target: EventTarget | null): boolean {
  const element = target as HTMLElement | null;
  if (element?.closest?.("[data-list]") && element.matches("a,button,section,input[type=checkbox]")) return false;
  return element?.closest?.("input,textarea,select,[contenteditable],[role=dialog]") != null;
}

interface ShortcutsDialogProps {
  readonly isOpen: boolean;
  close(): void;
}

const general = [
  { keys: ["/"], text: "Search" },
  { keys: ["Ctrl", "K"], text: "Search" },
  { keys: ["↓", "j"], text: "Into the list, and to its next row" },
  { keys: ["↑", "k"], text: "Previous row of the list" },
  { keys: ["Enter"], text: "Open the row" },
  { keys: ["x"], text: "Select the row" },
  { keys: ["u"], text: "Undo, while the notice with the button Undo is shown" },
  { keys: ["?"], text: "These shortcuts" },
];

/** Lists every shortcut. */
export function ShortcutsDialog({ isOpen, close }: ShortcutsDialogProps) {
  const screens = useScreens();
  return (
    <Modal opened={isOpen} onClose={close} title="Keyboard shortcuts" size="lg">
      <ul className={styles.list}>
        {general.map(({ keys, text }) => (
          <Line key={keys.join()} keys={keys} text={text} />
        ))}
        {screens.map(({ key, label }) => (
          <Line key={key} keys={["g", key]} text={label} />
        ))}
      </ul>
    </Modal>
  );
}

function Line({ keys, text }: { readonly keys: readonly string[]; readonly text: string }) {
  return (
    <li className={styles.line}>
      <span>{text}</span>
      <span className={styles.keys}>
        {keys.map((key) => (
          <kbd key={key} className={styles.key}>
            {key}
          </kbd>
        ))}
      </span>
    </li>
  );
}
