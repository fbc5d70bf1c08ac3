import { Tooltip } from "@mantine/core";
import { NavLink, useSearchParams } from "react-router";
import { useAnswer } from "../data.ts";
import { useScope, withScope } from "../scope.ts";
import { type ScreenEntry, useScreens } from "../screens.tsx";
import styles from "./navigation.module.css";

interface NavigationProps {
  /** Icons only. */
  readonly isSmall: boolean;
  onGo?(): void;
}

/** A link for each screen that the user may open, in groups. */
export function Navigation({ isSmall, onGo }: NavigationProps) {
  const screens = useScreens();
  const groups = [...new Set(screens.map(({ group }) => group))];
  return (
    <nav aria-label="Screens" className={styles.nav} data-small={isSmall}>
      <div className={styles.brand}>
        <svg viewBox="0 0 32 32" width="28" height="28" aria-hidden="true">
          <rect width="32" height="32" rx="7" fill="#364fc7" />
          <path
            d="M8 11h16M8 21h16M12 7l-4 4 4 4M20 17l4 4-4 4"
            fill="none"
            stroke="#fff"
            strokeWidth="2.4"
            strokeLinecap="round"
            strokeLinejoin="round"
          />
        </svg>
        {isSmall ? null : <span>Crossdock</span>}
      </div>
      {groups.map((group) => (
        <div key={group}>
          {isSmall ? <hr className={styles.rule} /> : <p className={styles.group}>{group}</p>}
          <ul className={styles.list}>
            {screens
              .filter((entry) => entry.group === group)
              .map((entry) => (
                <li key={entry.path}>
                  <ScreenLink entry={entry} isSmall={isSmall} {...(onGo ? { onGo } : {})} />
                </li>
              ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}

/** Number of open exceptions as text for the link; undefined for none, and for other screens. */
function useWaiting(isAsked: boolean): string | undefined {
  const { query } = useScope();
  const { data } = useAnswer("/exception/summary", { query }, { live: 30_000, isReady: isAsked });
  const sum = isAsked ? (data?.total ?? 0) : 0;
  return sum === 0 ? undefined : sum > 999 ? "999+" : String(sum);
}

interface ScreenLinkProps extends NavigationProps {
  readonly entry: ScreenEntry;
}

function ScreenLink({ entry: { path, label, icon: Sign }, isSmall, onGo }: ScreenLinkProps) {
  const [params] = useSearchParams();
  const waiting = useWaiting(path === "exceptions");
  return (
    <Tooltip label={label} position="right" disabled={!isSmall}>
      <NavLink
        to={withScope(`/${path}`, params)}
        className={styles.link ?? ""}
        onClick={onGo}
        {...(isSmall ? { "aria-label": label } : {})}
      >
        <Sign size={18} strokeWidth={1.6} aria-hidden="true" />
        {isSmall ? null : <span>{label}</span>}
        {isSmall || waiting === undefined ? null : (
          <span className={styles.waiting} aria-hidden="true" title="Open exceptions">
            {waiting}
          </span>
        )}
      </NavLink>
    </Tooltip>
  );
}
