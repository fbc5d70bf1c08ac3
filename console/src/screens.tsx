import { type ComponentType, useEffect, useState } from "react";
import { Navigate } from "react-router";
import { ApiProblem } from "./api.ts";
import { AreaPages, type Pages } from "./frame/area-pages.tsx";
import { linkTo } from "./links.ts";
import type { Icon } from "./parts/icons.tsx";
import {
  IconAlertTriangle,
  IconArrowBackUp,
  IconBell,
  IconBuilding,
  IconBuildingWarehouse,
  IconChartBar,
  IconCheck,
  IconFileExport,
  IconFileImport,
  IconFlask,
  IconHistory,
  IconLayoutDashboard,
  IconMail,
  IconPackageImport,
  IconPackages,
  IconShoppingCart,
  IconTools,
  IconTruck,
  IconUsers,
  IconWebhook,
} from "./parts/icons.tsx";
import { PageSkeleton } from "./parts/loading/skeletons.tsx";
import { loadScript } from "./reload.ts";
import { type Session, useIsDeveloper, useSession } from "./session.tsx";

/** An entry of the navigation with its pages. Each is a separate script, loaded when it is opened. */
export interface ScreenEntry {
  /** First part of the path below /console: `orders` holds every address under /console/orders. */
  readonly path: string;
  readonly label: string;
  readonly group: string;
  readonly icon: Icon;
  /** Key that opens the screen after `g`. */
  readonly key: string;
  /** Users to whom the navigation offers it. By default all; for other users its pages say why they are closed. */
  readonly isFor?: (session: Session) => boolean;
  /** Developers of brands have the screen too. */
  readonly isForDevelopers?: boolean;
  readonly Area: ComponentType & {
    /** Loads the script before the screen is opened; false: it is loaded already. */
    preload(): Promise<boolean>;
  };
}

/** The script of a screen failed to load. It is requested only once; only a reload of the page requests it again. */
export class UnloadedScreen extends ApiProblem {}

const unloaded = () =>
  Promise.reject(
    new UnloadedScreen(0, {
      title: "It could not be loaded",
      detail: "The server does not answer, or it now runs another version. Try again when it answers.",
    }),
  );

/**
 * A component whose script is requested when it is first shown. React's `lazy` keeps its fallback for at least 300 ms:
 * the rows of a screen came 310 to 620 ms after the click, of which the script took 30 (`npm run bench clicks`).
 */
function lazily(load: () => Promise<ComponentType>) {
  let script: Promise<ComponentType> | undefined;
  let Loaded: ComponentType | undefined;
  function Lazily() {
    const [failed, setFailed] = useState<{ error: unknown }>();
    const [, setLoaded] = useState(Loaded !== undefined);
    useEffect(() => {
      script ??= loadScript(load).catch(unloaded);
      script.then(
        (component) => {
          Loaded = component;
          setLoaded(true);
        },
        (error: unknown) => setFailed({ error }),
      );
    }, []);
    if (failed) throw failed.error;
    return Loaded ? <Loaded /> : <PageSkeleton />;
  }
  return Object.assign(Lazily, {
    async preload() {
      if (Loaded) return false;
      Loaded = await load();
      return true;
    },
  });
}

/** An entry whose pages are loaded when it is opened. Every other path below it is an unknown page. */
function screen(entry: Omit<ScreenEntry, "Area">, load: () => Promise<Pages>): ScreenEntry {
  const Area = lazily(async () => {
    const pages = await load();
    return () => <AreaPages pages={pages} of={entry} isClosed={useIsClosed(entry)} />;
  });
  return { ...entry, Area };
}

/** Whether the screen is closed to the developer of a brand who is signed in. */
function useIsClosed({ isForDevelopers }: Omit<ScreenEntry, "Area">): boolean {
  return useIsDeveloper() && isForDevelopers !== true;
}

const seesAllFacilities = ({ facilityCodes }: Session) => facilityCodes === null;
const managesUsers = ({ role, clientIds, facilityCodes }: Session) =>
  role === "admin" && clientIds === null && facilityCodes === null;

/** The user's account, opened from the user menu. */
export const AccountArea = lazily(async () => (await import("./account/account-page.tsx")).AccountPage);

/** The user's tokens for agents, opened from the user menu. */
export const AgentTokensArea = lazily(async () => (await import("./account/agent-tokens.tsx")).AgentTokens);

export const screens: readonly ScreenEntry[] = [
  screen(
    { path: "overview", label: "Overview", group: "Watch", icon: IconLayoutDashboard, key: "o" },
    async () => (await import("./screens/overview/overview-area.tsx")).overviewPages,
  ),
  screen(
    { path: "exceptions", label: "Exceptions", group: "Watch", icon: IconAlertTriangle, key: "e" },
    async () => (await import("./screens/exceptions/exceptions-area.tsx")).exceptionsPages,
  ),
  screen(
    {
      path: "proposals",
      label: "Proposals",
      group: "Watch",
      icon: IconCheck,
      key: "p",
      isFor: seesAllFacilities,
    },
    async () => (await import("./screens/proposals/proposals-area.tsx")).proposalsPages,
  ),
  screen(
    { path: "reports", label: "Reports", group: "Watch", icon: IconChartBar, key: "d" },
    async () => (await import("./screens/reports/reports-area.tsx")).reportsPages,
  ),
  screen(
    {
      path: "feeds",
      label: "Feeds",
      group: "Work",
      icon: IconFileImport,
      key: "f",
      isFor: seesAllFacilities,
      isForDevelopers: true,
    },
    async () => (await import("./screens/feeds/feeds-area.tsx")).feedsPages,
  ),
  screen(
    { path: "orders", label: "Orders", group: "Work", icon: IconShoppingCart, key: "r", isForDevelopers: true },
    async () => (await import("./screens/orders/orders-area.tsx")).ordersPages,
  ),
  screen(
    { path: "inventory", label: "Inventory", group: "Work", icon: IconPackages, key: "i", isForDevelopers: true },
    async () => (await import("./screens/inventory/inventory-area.tsx")).inventoryPages,
  ),
  screen(
    { path: "inbound", label: "Inbound", group: "Work", icon: IconPackageImport, key: "b", isForDevelopers: true },
    async () => (await import("./screens/inbound/inbound-area.tsx")).inboundPages,
  ),
  screen(
    { path: "returns", label: "Returns", group: "Work", icon: IconArrowBackUp, key: "t", isForDevelopers: true },
    async () => (await import("./screens/returns/returns-area.tsx")).returnsPages,
  ),
  screen(
    { path: "work-orders", label: "Work orders", group: "Work", icon: IconTools, key: "w", isForDevelopers: true },
    async () => (await import("./screens/work-orders/work-orders-area.tsx")).workOrdersPages,
  ),
  screen(
    { path: "carriers", label: "Carriers", group: "Out", icon: IconTruck, key: "c" },
    async () => (await import("./screens/carriers/carriers-area.tsx")).carriersPages,
  ),
  screen(
    { path: "webhooks", label: "Webhooks", group: "Out", icon: IconWebhook, key: "h", isForDevelopers: true },
    async () => (await import("./screens/webhooks/webhooks-area.tsx")).webhooksPages,
  ),
  screen(
    { path: "outbound", label: "Outbound feeds", group: "Out", icon: IconFileExport, key: "u", isForDevelopers: true },
    async () => (await import("./screens/outbound/outbound-area.tsx")).outboundPages,
  ),
  screen(
    { path: "mails", label: "Mails", group: "Out", icon: IconMail, key: "m", isFor: seesAllFacilities },
    async () => (await import("./screens/mails/mails-area.tsx")).mailsPages,
  ),
  screen(
    { path: "clients", label: "Clients", group: "Set up", icon: IconBuilding, key: "l", isForDevelopers: true },
    async () => (await import("./screens/clients/clients-area.tsx")).clientsPages,
  ),
  screen(
    { path: "facilities", label: "Facilities", group: "Set up", icon: IconBuildingWarehouse, key: "y" },
    async () => (await import("./screens/facilities/facilities-area.tsx")).facilitiesPages,
  ),
  screen(
    { path: "users", label: "Users", group: "Set up", icon: IconUsers, key: "s", isFor: managesUsers },
    async () => (await import("./screens/users/users-area.tsx")).usersPages,
  ),
  screen(
    { path: "notifications", label: "Notifications", group: "Set up", icon: IconBell, key: "n", isFor: managesUsers },
    async () => (await import("./screens/notifications/notifications-area.tsx")).notificationsPages,
  ),
  screen(
    { path: "sandbox", label: "Sandbox", group: "Set up", icon: IconFlask, key: "x" },
    async () => (await import("./screens/sandbox/sandbox-area.tsx")).sandboxPages,
  ),
  screen(
    { path: "audit", label: "Audit", group: "Set up", icon: IconHistory, key: "a", isFor: seesAllFacilities },
    async () => (await import("./screens/audit/audit-area.tsx")).auditPages,
  ),
];

/** The first page: that of the client, for developers of brands. */
export function HomePage() {
  const { role, clientIds } = useSession();
  const clientId = role === "developer" ? clientIds?.[0] : undefined;
  return <Navigate to={clientId === undefined ? "/overview" : linkTo("client", "", clientId)} replace />;
}

/** The screens that the navigation, the search and the shortcuts offer to the user. */
export function useScreens(): readonly ScreenEntry[] {
  const session = useSession();
  const isDeveloper = session.role === "developer";
  return screens.filter(
    ({ isFor, isForDevelopers }) => (isFor?.(session) ?? true) && (!isDeveloper || isForDevelopers),
  );
}
