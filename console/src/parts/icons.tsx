import type { ComponentType, SVGProps } from "react";

export interface IconProps extends SVGProps<SVGSVGElement> {
  /** Width and height in pixels; default 24. */
  readonly size?: number;
}

export type Icon = ComponentType<IconProps>;

/** An icon of lines on a grid of 24 × 24. Drawn here: a library of 6 000 takes 88 MB of the installation for these 34. */
function iconOf(lines: string): Icon {
  return ({ size = 24, ...others }) => (
    <svg
      xmlns="http://www.w3.org/2000/svg"
      viewBox="0 0 24 24"
      width={size}
      height={size}
      fill="none"
      stroke="currentColor"
      strokeWidth={2}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      {...(others["aria-label"] === undefined ? {} : { "aria-hidden": false, role: "img" })}
      {...others}
    >
      <path d={lines} />
    </svg>
  );
}

const circle = (x: number, y: number, r: number) =>
  `M${x + r} ${y}a${r} ${r} 0 1 1-${2 * r} 0 ${r} ${r} 0 0 1 ${2 * r} 0z`;

export const IconAlertTriangle = iconOf("M12 4l9 16H3zM12 10v4.5M12 17.2v.1");
export const IconArrowBackUp = iconOf("M9 13.5L4.5 9 9 4.5M4.5 9H15a5.2 5.2 0 0 1 0 10.5H9");
export const IconChartBar = iconOf("M4 20h16M7 16v-5M12 16V6M17 16v-8");
export const IconBookmark = iconOf("M6.5 4h11v16L12 16l-5.5 4z");
export const IconBell = iconOf("M6 16.5V11a6 6 0 0 1 12 0v5.5l1.5 1.5h-15zM10 20.5a2.2 2.2 0 0 0 4 0");
export const IconBuilding = iconOf(
  "M5.5 20.5v-17h13v17M3 20.5h18M9.5 7.5h1M13.5 7.5h1M9.5 11.5h1M13.5 11.5h1M10 20.5V16h4v4.5",
);
export const IconBuildingWarehouse = iconOf("M3 20.5v-12L12 4l9 4.5v12M7 20.5V12h10v8.5M7 16h10");
export const IconCalendar = iconOf("M4 6h16v14H4zM4 10.5h16M8 3.5V7M16 3.5V7");
export const IconCheck = iconOf("M5 12.5L9.5 17 19 7.5");
export const IconChevronDown = iconOf("M6 9l6 6 6-6");
export const IconChevronUp = iconOf("M6 15l6-6 6 6");
export const IconColumns = iconOf("M4 5h16v14H4zM9.5 5v14M14.5 5v14");
export const IconCopy = iconOf("M9 9h11v11H9zM5.5 15H4V4h11v1.5");
export const IconDeviceDesktop = iconOf("M3.5 5h17v11h-17zM9 20h6M12 16v4");
export const IconDownload = iconOf("M12 4v11M7.5 11l4.5 4.5 4.5-4.5M4.5 19.5h15");
export const IconFileExport = iconOf(
  "M13.5 3.5h-7a1 1 0 0 0-1 1v15a1 1 0 0 0 1 1h6M18.5 8.5V11M13.5 3.5l5 5h-5zM12.5 15.5h8M17.5 12.5l3 3-3 3",
);
export const IconFileImport = iconOf(
  "M13.5 3.5h-7a1 1 0 0 0-1 1V10M18.5 8.5v11a1 1 0 0 1-1 1h-5M13.5 3.5l5 5h-5zM2.5 15.5h8M7.5 12.5l3 3-3 3",
);
export const IconFlask = iconOf(
  "M9 3.5h6M10 3.5v6L5 18a1.7 1.7 0 0 0 1.5 2.5h11A1.7 1.7 0 0 0 19 18l-5-8.5v-6M7.5 14.5h9",
);
export const IconHelp = iconOf(`${circle(12, 12, 9)}M9.5 9.5a2.5 2.5 0 1 1 3.6 2.2c-.7.4-1.1 1-1.1 1.8M12 16.5v.1`);
export const IconHistory = iconOf("M4.5 8.5A8.5 8.5 0 1 1 3.6 13M4 4v4.5h4.5M12 8v4.5l3 2");
export const IconLayoutDashboard = iconOf("M4 4h7v8H4zM4 16h7v4H4zM15 12h5v8h-5zM15 4h5v4h-5z");
export const IconLayoutSidebar = iconOf("M4 5h16v14H4zM9.5 5v14");
export const IconMail = iconOf("M3.5 6h17v12.5h-17zM3.5 7l8.5 6.5L20.5 7");
export const IconMoon = iconOf("M20 14.5A8.5 8.5 0 1 1 9.5 4 7 7 0 0 0 20 14.5z");
export const IconPackageImport = iconOf(
  "M20 10.5v-3l-8-4-8 4v9l8 4M4 7.5l8 4 8-4M12 11.5v9M21 16.5h-6M17.5 13.5l-3 3 3 3",
);
export const IconPackages = iconOf(
  "M8.5 3.5h7V10h-7zM4 13.5h7V20H4zM13 13.5h7V20h-7zM12 3.5V6M7.5 13.5V16M16.5 13.5V16",
);
export const IconSearch = iconOf(`${circle(10.5, 10.5, 6.5)}M15.2 15.2l5.3 5.3`);
export const IconShoppingCart = iconOf(
  `M3 4h2.5l2.2 11.5h10.6L20.5 7H6.2${circle(8.5, 19.5, 1)}${circle(17.5, 19.5, 1)}`,
);
export const IconSun = iconOf(
  `${circle(12, 12, 4)}M12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M5.3 18.7l1.4-1.4M17.3 6.7l1.4-1.4`,
);
export const IconTools = iconOf(
  "M14.5 6.5a4 4 0 0 1 5-2l-2.6 2.6v2h2l2.6-2.6a4 4 0 0 1-5.4 4.7L8 19.3a2 2 0 0 1-2.8-2.8l8.1-8.1a4 4 0 0 1 1.2-1.9z",
);
export const IconTrash = iconOf("M4.5 7h15M9.5 7V4.5h5V7M6.5 7l1 13h9l1-13M10 11v5.5M14 11v5.5");
export const IconTruck = iconOf(
  `M5.3 16.5H2.5v-11H14v11H9.7M14 9h4l3.5 4v3.5h-2.3M14.8 16.5H14${circle(7.5, 17, 2.2)}${circle(17, 17, 2.2)}`,
);
export const IconUserCircle = iconOf(`${circle(12, 12, 9)}${circle(12, 10, 3)}M6.2 18.8a6.5 6.5 0 0 1 11.6 0`);
export const IconUsers = iconOf(
  `${circle(9, 8, 3.5)}M3 20v-1.5A4.5 4.5 0 0 1 7.5 14h3a4.5 4.5 0 0 1 4.5 4.5V20M16 4.7a3.5 3.5 0 0 1 0 6.6M21 20v-1.5a4.5 4.5 0 0 0-3-4.2`,
);
export const IconWebhook = iconOf(
  `${circle(12, 6, 2.5)}${circle(6, 17, 2.5)}${circle(18, 17, 2.5)}M10.8 8.2l-3.6 6.6M13.2 8.2l3.6 6.6M8.5 17h7`,
);
export const IconX = iconOf("M6 6l12 12M18 6L6 18");
