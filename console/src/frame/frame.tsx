import { Drawer } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { useState } from "react";
import { Outlet, useLocation } from "react-router";
import { enterList } from "../parts/list/list-keys.ts";
import { AlertBanner } from "./alert-banner.tsx";
import { Boundary } from "./boundary.tsx";
import styles from "./frame.module.css";
import { Navigation } from "./navigation.tsx";
import { usePreload } from "./preload.ts";
import { RestoreBanner } from "./restore-banner.tsx";
import { Search } from "./search.tsx";
import { ShortcutsDialog, useShortcuts } from "./shortcuts.tsx";
import { SilenceBanner } from "./silence-banner.tsx";
import { TopBar } from "./top-bar.tsx";

const narrow = "(max-width: 1099px)";
const storageKey = "crossdock.navigation";

/** Layout of every screen: navigation on the left, the bar above, the screen in `main`. */
export function Frame() {
  const isNarrow = useMediaQuery(narrow, matchMedia(narrow).matches);
  const [isOpen, setOpen] = useState(false);
  const [isSmall, setSmall] = useState(() => localStorage.getItem(storageKey) === "small");
  const [dialogue, setDialogue] = useState<"search" | "shortcuts" | undefined>();
  const { pathname } = useLocation();
  usePreload();
  useShortcuts({ search: () => setDialogue("search"), help: () => setDialogue("shortcuts") });
  const toggle = () => {
    if (isNarrow) return setOpen(!isOpen);
    localStorage.setItem(storageKey, isSmall ? "wide" : "small");
    setSmall(!isSmall);
  };

  return (
    <div className={styles.frame} data-nav={isNarrow ? "none" : isSmall ? "small" : "wide"}>
      <a className={styles.skip} href="#main">
        Skip to the content
      </a>
      {/* biome-ignore lint/a11y/useValidAnchor: a link of the page; on a screen without a list it leads to the content */}
      <a
        className={styles.skip}
        href="#main"
        onClick={(event) => {
          if (enterList()) event.preventDefault();
        }}
      >
        Skip to the rows
      </a>
      {isNarrow ? (
        <Drawer.Root opened={isOpen} onClose={() => setOpen(false)} size={260} padding={0}>
          <Drawer.Overlay />
          <Drawer.Content aria-label="Navigation">
            <Navigation isSmall={false} onGo={() => setOpen(false)} />
          </Drawer.Content>
        </Drawer.Root>
      ) : (
        <div className={styles.side}>
          <Navigation isSmall={isSmall} />
        </div>
      )}
      <TopBar
        toggleNavigation={toggle}
        isNavigationOpen={isNarrow ? isOpen : !isSmall}
        openSearch={() => setDialogue("search")}
        openShortcuts={() => setDialogue("shortcuts")}
      />
      <main id="main" tabIndex={-1} className={styles.main}>
        <SilenceBanner />
        <RestoreBanner />
        <AlertBanner />
        <div className={styles.content}>
          <Boundary key={pathname}>
            <Outlet />
          </Boundary>
        </div>
      </main>
      <Search isOpen={dialogue === "search"} close={() => setDialogue(undefined)} />
      <ShortcutsDialog isOpen={dialogue === "shortcuts"} close={() => setDialogue(undefined)} />
    </div>
  );
}
