import { ActionIcon, Menu, Select, Tooltip, useComputedColorScheme, useMantineColorScheme } from "@mantine/core";
import { useState } from "react";
import { useLocation, useNavigate } from "react-router";
import { useClients, useFacilities } from "../directory.ts";
import {
  IconCheck,
  IconDeviceDesktop,
  IconLayoutSidebar,
  IconMoon,
  IconSearch,
  IconSun,
  IconUserCircle,
} from "../parts/icons.tsx";
import { RangePicker } from "../parts/range-picker.tsx";
import { wordOf } from "../parts/tones.ts";
import { useScope, useSetParams } from "../scope.ts";
import { rangeParam, type ScreenRange, screenRangeAt, useScreenRange } from "../screen-ranges.ts";
import { useSession } from "../session.tsx";
import { FacilityFilter } from "./facility-filter.tsx";
import { HelpMenu } from "./help-menu.tsx";
import { PasswordDialog } from "./password-dialog.tsx";
import { isMeant, signOutPath } from "./sign-out-page.tsx";
import { TimesDialog } from "./times-dialog.tsx";
import styles from "./top-bar.module.css";

interface TopBarProps {
  readonly isNavigationOpen: boolean;
  toggleNavigation(): void;
  openSearch(): void;
  openShortcuts(): void;
}

/**
 * Search, the filters kept on every screen, and the time range of screens that have one; theme and user menu on the
 * right.
 */
export function TopBar({ isNavigationOpen, toggleNavigation, openSearch, openShortcuts }: TopBarProps) {
  return (
    <header className={styles.bar}>
      <Tooltip label={isNavigationOpen ? "Less navigation" : "More navigation"}>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={32}
          aria-label="Navigation"
          aria-expanded={isNavigationOpen}
          onClick={toggleNavigation}
        >
          <IconLayoutSidebar size={18} />
        </ActionIcon>
      </Tooltip>
      {/* A narrow window shows only the icon. The accessible name stays, as for the user menu. */}
      <button
        type="button"
        className={styles.search}
        onClick={openSearch}
        aria-label="Search"
        aria-keyshortcuts="/ Control+K"
      >
        <IconSearch size={16} aria-hidden="true" />
        <span className={styles.searchText}>Search</span>
        <kbd className={styles.key}>/</kbd>
      </button>
      <EnvironmentBadge />
      <span className={styles.spring} />
      <Filters />
      <HelpMenu openShortcuts={openShortcuts} />
      <ThemeMenu />
      <UserMenu />
    </header>
  );
}

/** Its colours are none of the states': production is filled, so that it is never taken for a rehearsal. */
function EnvironmentBadge() {
  const { environment } = useSession();
  return (
    <span className={styles.environment} data-environment={environment} title={`Environment: ${environment}`}>
      {wordOf(environment)}
    </span>
  );
}

function Filters() {
  const { clientId } = useScope();
  const setParams = useSetParams();
  const session = useSession();
  const clients = useClients();
  const facilities = useFacilities();
  const screenRange = screenRangeAt(useLocation().pathname);
  const isClosed = session.facilityCodes !== null && screenRange?.isOfAllFacilities === true;
  return (
    <div className={styles.filters}>
      <FacilityFilter
        options={withOwn(
          facilities.map(({ facilityCode, name }) => ({ value: facilityCode, label: named(facilityCode, name) })),
          undefined,
          session.facilityCodes,
        )}
      />
      <Select
        aria-label="Client"
        placeholder="All clients"
        size="xs"
        className={styles.filter ?? ""}
        searchable
        clearable
        clearButtonProps={{ "aria-label": "All clients" }}
        nothingFoundMessage="No such client"
        data={withOwn(
          clients.map(({ clientId: value, name }) => ({ value, label: named(value, name) })),
          clientId,
          session.clientIds,
        )}
        value={clientId ?? null}
        onChange={(value) => setParams({ client: value })}
      />
      {screenRange === undefined || isClosed ? null : <Range screenRange={screenRange} />}
    </div>
  );
}

function Range({ screenRange }: { readonly screenRange: ScreenRange }) {
  const setParams = useSetParams();
  const range = useScreenRange(screenRange);
  const { label, initial, presets, isBounded = false } = screenRange;
  return (
    <RangePicker
      label={label}
      range={range}
      presets={presets}
      isBounded={isBounded}
      hasTimes
      choose={(key) => setParams({ [rangeParam]: key === initial ? null : key })}
    />
  );
}

const named = (id: string, name: string) => (name === "" || name === id ? id : `${id} · ${name}`);

interface Option {
  readonly value: string;
  readonly label: string;
}

/** Adds the selected value and the user's limits to the options, even while the list is loading. */
function withOwn(options: readonly Option[], chosen: string | undefined, limits: readonly string[] | null): Option[] {
  const missing = [...(limits ?? []), ...(chosen === undefined ? [] : [chosen])];
  const values = new Set(options.map(({ value }) => value));
  return [...options, ...[...new Set(missing)].filter((id) => !values.has(id)).map((id) => ({ value: id, label: id }))];
}

const schemes = [
  { value: "light", label: "Light", icon: IconSun },
  { value: "dark", label: "Dark", icon: IconMoon },
  { value: "auto", label: "As the system", icon: IconDeviceDesktop },
] as const;

function ThemeMenu() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const computed = useComputedColorScheme("light");
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size={32} aria-label="Theme">
          {computed === "dark" ? <IconMoon size={18} /> : <IconSun size={18} />}
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {schemes.map(({ value, label, icon: Sign }) => (
          <Menu.Item
            key={value}
            leftSection={<Sign size={16} />}
            rightSection={colorScheme === value ? <IconCheck size={16} aria-label="chosen" /> : null}
            onClick={() => setColorScheme(value)}
          >
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function UserMenu() {
  const { userName, role, identityProvider } = useSession();
  const navigate = useNavigate();
  const [isPasswordOpen, setPasswordOpen] = useState(false);
  const [isTimesOpen, setTimesOpen] = useState(false);
  return (
    <>
      <Menu position="bottom-end" width={220}>
        <Menu.Target>
          <button type="button" className={styles.user} aria-label={userName}>
            <IconUserCircle size={18} aria-hidden="true" />
            <span className={styles.userName}>{userName}</span>
          </button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>Signed in as {role}</Menu.Label>
          <Menu.Item onClick={() => setTimesOpen(true)}>Times and dates</Menu.Item>
          {identityProvider === null ? (
            <>
              <Menu.Item onClick={() => setPasswordOpen(true)}>Change password</Menu.Item>
              <Menu.Item onClick={() => void navigate("/account")}>Second factor</Menu.Item>
            </>
          ) : null}
          {role === "developer" ? null : (
            <Menu.Item onClick={() => void navigate("/account/agents")}>Tokens for agents</Menu.Item>
          )}
          <Menu.Divider />
          <Menu.Item onClick={() => void navigate(signOutPath, { state: isMeant })}>Sign out</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <PasswordDialog isOpen={isPasswordOpen} close={() => setPasswordOpen(false)} />
      <TimesDialog isOpen={isTimesOpen} close={() => setTimesOpen(false)} />
    </>
  );
}
