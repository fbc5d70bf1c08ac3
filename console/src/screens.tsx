import type { Icon } from "@tabler/icons-react";
import {
  IconAlertTriangle,
  IconArrowBackUp,
  IconBuilding,
  IconBuildingWarehouse,
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
} from "@tabler/icons-react";
import { type ComponentType, type LazyExoticComponent, lazy } from "react";
import { ApiProblem } from "./api.ts";

/** One entry of the navigation, and what is shown below its path. Each is a script of its own, loaded when it is opened. */
export interface ScreenEntry {
  /** First part of the path below /console: `orders` holds every address under /console/orders. */
  readonly path: string;
  readonly label: string;
  readonly group: string;
  readonly icon: Icon;
  /** Pressed after `g`, it opens the screen. */
  readonly key: string;
  readonly Area: LazyExoticComponent<ComponentType>;
}

/** The script of a screen did not come. It is asked for once: only a page that is loaded anew asks again. */
export class UnloadedScreen extends ApiProblem {}

const unloaded = () =>
  Promise.reject(
    new UnloadedScreen(0, {
      title: "Its script did not come",
      detail: "The server does not answer, or another version of it runs now. Try again once it answers.",
    }),
  );

const area = (load: () => Promise<ComponentType>) => lazy(async () => ({ default: await load().catch(unloaded) }));

export const screens: readonly ScreenEntry[] = [
  {
    ...{ path: "overview", label: "Overview", group: "Watch", icon: IconLayoutDashboard, key: "o" },
    Area: area(async () => (await import("./screens/overview/overview-area.tsx")).OverviewArea),
  },
  {
    ...{ path: "exceptions", label: "Exceptions", group: "Watch", icon: IconAlertTriangle, key: "e" },
    Area: area(async () => (await import("./screens/exceptions/exceptions-area.tsx")).ExceptionsArea),
  },
  {
    ...{ path: "feeds", label: "Feeds", group: "Work", icon: IconFileImport, key: "f" },
    Area: area(async () => (await import("./screens/feeds/feeds-area.tsx")).FeedsArea),
  },
  {
    ...{ path: "orders", label: "Orders", group: "Work", icon: IconShoppingCart, key: "r" },
    Area: area(async () => (await import("./screens/orders/orders-area.tsx")).OrdersArea),
  },
  {
    ...{ path: "inventory", label: "Inventory", group: "Work", icon: IconPackages, key: "i" },
    Area: area(async () => (await import("./screens/inventory/inventory-area.tsx")).InventoryArea),
  },
  {
    ...{ path: "inbound", label: "Inbound", group: "Work", icon: IconPackageImport, key: "b" },
    Area: area(async () => (await import("./screens/inbound/inbound-area.tsx")).InboundArea),
  },
  {
    ...{ path: "returns", label: "Returns", group: "Work", icon: IconArrowBackUp, key: "t" },
    Area: area(async () => (await import("./screens/returns/returns-area.tsx")).ReturnsArea),
  },
  {
    ...{ path: "work-orders", label: "Work orders", group: "Work", icon: IconTools, key: "w" },
    Area: area(async () => (await import("./screens/work-orders/work-orders-area.tsx")).WorkOrdersArea),
  },
  {
    ...{ path: "carriers", label: "Carriers", group: "Out", icon: IconTruck, key: "c" },
    Area: area(async () => (await import("./screens/carriers/carriers-area.tsx")).CarriersArea),
  },
  {
    ...{ path: "webhooks", label: "Webhooks", group: "Out", icon: IconWebhook, key: "h" },
    Area: area(async () => (await import("./screens/webhooks/webhooks-area.tsx")).WebhooksArea),
  },
  {
    ...{ path: "outbound", label: "Outbound feeds", group: "Out", icon: IconFileExport, key: "u" },
    Area: area(async () => (await import("./screens/outbound/outbound-area.tsx")).OutboundArea),
  },
  {
    ...{ path: "mails", label: "Mails", group: "Out", icon: IconMail, key: "m" },
    Area: area(async () => (await import("./screens/mails/mails-area.tsx")).MailsArea),
  },
  {
    ...{ path: "clients", label: "Clients", group: "Set up", icon: IconBuilding, key: "l" },
    Area: area(async () => (await import("./screens/clients/clients-area.tsx")).ClientsArea),
  },
  {
    ...{ path: "facilities", label: "Facilities", group: "Set up", icon: IconBuildingWarehouse, key: "y" },
    Area: area(async () => (await import("./screens/facilities/facilities-area.tsx")).FacilitiesArea),
  },
  {
    ...{ path: "users", label: "Users", group: "Set up", icon: IconUsers, key: "s" },
    Area: area(async () => (await import("./screens/users/users-area.tsx")).UsersArea),
  },
  {
    ...{ path: "sandbox", label: "Sandbox", group: "Set up", icon: IconFlask, key: "x" },
    Area: area(async () => (await import("./screens/sandbox/sandbox-area.tsx")).SandboxArea),
  },
  {
    ...{ path: "audit", label: "Audit", group: "Set up", icon: IconHistory, key: "a" },
    Area: area(async () => (await import("./screens/audit/audit-area.tsx")).AuditArea),
  },
];
