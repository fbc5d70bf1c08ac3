import { Tabs } from "@mantine/core";
import type { ReactNode } from "react";
import { useSearchParams } from "react-router";
import { useSetParams } from "../../scope.ts";
import { type Session, useSession } from "../../session.tsx";
import { ActionsWithReasons } from "../actions/action-reasons.tsx";
import { Go } from "../go.tsx";
import { CopyButton, Id } from "../id.tsx";
import styles from "./detail-page.module.css";
import { type Fact, Facts } from "./facts.tsx";
import { usePageTitle } from "./screen.tsx";

export interface DetailTab {
  /** Value of `?tab=` in the URL. */
  readonly key: string;
  readonly label: string;
  /** Shown next to the label. */
  readonly count?: number;
  readonly content: ReactNode;
  /** Users who have the tab; default: all. */
  readonly isFor?: (session: Session) => boolean;
}

interface DetailPageProps {
  /** Type of the object: "Order". */
  readonly what: string;
  readonly id: string;
  /** The name that people use, if the id is a UUID: the id is then shown small, below. */
  readonly name?: string | null;
  /** Owner, named in the title. */
  readonly clientId?: string;
  /** Link to its list. */
  readonly back: { readonly to: string; readonly label: string };
  /** A `StateBadge`, possibly with further badges. */
  readonly state?: ReactNode;
  /** An `Age`. */
  readonly age?: ReactNode;
  /** `ActionButton`s; destructive ones come last. */
  readonly actions?: ReactNode;
  /** Shown at the top: what needs an operator's attention. */
  readonly notice?: ReactNode;
  /** The left column. */
  readonly facts: readonly Fact[];
  /** `Timeline`, the right column. */
  readonly timeline?: ReactNode;
  /** Below the tabs, which a long one would push out of sight; the facts are in columns. */
  readonly isTimelineLast?: boolean;
  readonly tabs?: readonly DetailTab[];
}

/** The page of one object: header, facts on the left, timeline on the right, tabs below. The tab is in the URL. */
export function DetailPage({
  what,
  id,
  name,
  clientId,
  back,
  state,
  age,
  actions,
  notice,
  facts,
  timeline,
  isTimelineLast = false,
  tabs = [],
}: DetailPageProps) {
  const title = `${what} ${name ?? id}${clientId === undefined ? "" : ` of ${clientId}`}`;
  const isBeside = timeline !== undefined && !isTimelineLast;
  usePageTitle(title);
  return (
    <div className={styles.page}>
      <div className={styles.head}>
        <div className={styles.names}>
          <p className={styles.back}>
            <Go to={back.to}>{back.label}</Go>
          </p>
          <div className={styles.titleLine}>
            <h1 className={styles.title}>{title}</h1>
            {name ? null : <CopyButton text={id} isShown />}
            {state}
            {age === undefined ? null : <span className={styles.age}>{age}</span>}
          </div>
          {name ? <Id text={id} isSmall /> : null}
        </div>
        {actions === undefined ? null : <ActionsWithReasons>{actions}</ActionsWithReasons>}
      </div>
      {notice}
      <div className={isBeside ? styles.columns : styles.one}>
        <div className={styles.box}>
          <Facts facts={facts} isWide={isTimelineLast} />
        </div>
        {isBeside ? <div className={styles.box}>{timeline}</div> : null}
      </div>
      {tabs.length === 0 ? null : <TabsInUrl tabs={tabs} />}
      {isTimelineLast ? <div className={styles.box}>{timeline}</div> : null}
    </div>
  );
}

/** Tabs; the open one is stored in the URL as `?tab=`. */
export function TabsInUrl({ tabs: all }: { readonly tabs: readonly DetailTab[] }) {
  const session = useSession();
  const tabs = all.filter(({ isFor }) => isFor?.(session) ?? true);
  const [params] = useSearchParams();
  const setParams = useSetParams();
  const first = tabs[0]?.key ?? "";
  const requested = params.get("tab") ?? first;
  const open = tabs.some(({ key }) => key === requested) ? requested : first;
  return (
    <Tabs
      value={open}
      onChange={(key) => setParams({ tab: key === first ? null : key })}
      keepMounted={false}
      className={styles.tabs ?? ""}
    >
      <Tabs.List>
        {tabs.map(({ key, label, count }) => (
          <Tabs.Tab key={key} value={key}>
            {label}
            {count === undefined ? null : <span className={styles.count}>{count}</span>}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {tabs.map(({ key, content }) => (
        <Tabs.Panel key={key} value={key} pt="xs">
          {content}
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
