import {
  Anchor,
  Badge,
  type CSSVariablesResolver,
  createTheme,
  Modal,
  MultiSelect,
  Select,
  Table,
  Tabs,
  Tooltip,
} from "@mantine/core";

/**
 * The list itself scrolls, which the keyboard reaches through its field. The scroll area of the library is another box,
 * which the keyboard does not reach (axe: scrollable-region-focusable).
 */
const scrollingList = {
  withScrollArea: false,
  styles: { options: { maxHeight: 220, overflowY: "auto" } },
} as const;

/**
 * One accent colour, and greys. The automatic contrast checks require the ninth shade and the darker texts below
 * (docs/decisions/0024-console.md).
 */
/** The trap of the focus prefers the button Close, because it comes first. */
function focusFirstField(): void {
  const body = [...document.querySelectorAll(".mantine-Modal-body")].at(-1);
  if (body?.contains(document.activeElement)) return;
  body?.querySelector<HTMLElement>("input:not([type=hidden]),textarea,select")?.focus();
}

export const theme = createTheme({
  primaryColor: "indigo",
  primaryShade: { light: 9, dark: 8 },
  autoContrast: true,
  fontFamily: "'Inter Variable', system-ui, sans-serif",
  fontFamilyMonospace: "ui-monospace, 'SF Mono', Menlo, Consolas, 'Liberation Mono', monospace",
  fontSizes: { xs: "12px", sm: "13px", md: "14px", lg: "16px", xl: "18px" },
  lineHeights: { xs: "1.4", sm: "1.45", md: "1.5", lg: "1.5", xl: "1.4" },
  spacing: { xs: "8px", sm: "12px", md: "16px", lg: "24px", xl: "32px" },
  headings: {
    fontWeight: "600",
    sizes: { h1: { fontSize: "20px" }, h2: { fontSize: "16px" }, h3: { fontSize: "14px" } },
  },
  defaultRadius: "sm",
  cursorType: "pointer",
  components: {
    Badge: Badge.extend({ defaultProps: { variant: "default", radius: "sm" } }),
    Anchor: Anchor.extend({ defaultProps: { underline: "hover" } }),
    Select: Select.extend({ defaultProps: scrollingList }),
    MultiSelect: MultiSelect.extend({ defaultProps: scrollingList }),
    Table: Table.extend({ defaultProps: { verticalSpacing: 7, horizontalSpacing: 12 } }),
    // Thirteen tabs of the carriers fit one line of 1,170 pixels.
    Tabs: Tabs.extend({ styles: { tab: { paddingInline: 10, paddingBlock: 7 } } }),
    Tooltip: Tooltip.extend({ defaultProps: { withArrow: true, openDelay: 300 } }),
    Modal: Modal.extend({
      defaultProps: {
        centered: true,
        closeButtonProps: { "aria-label": "Close" },
        onEnterTransitionEnd: focusFirstField,
      },
      styles: { title: { fontSize: "16px", fontWeight: 600 } },
    }),
  },
});

export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    "--mantine-color-dimmed": "#555d68",
    "--mantine-color-placeholder": "#646c77",
    "--mantine-color-body": "#ffffff",
    "--mantine-color-text": "#1a1d21",
    "--mantine-color-error": "#b3231f",
  },
  dark: {
    "--mantine-color-dimmed": "#a9b0ba",
    "--mantine-color-placeholder": "#9aa1ab",
    "--mantine-color-body": "#16181b",
    "--mantine-color-text": "#e4e6e9",
    "--mantine-color-error": "#ff9d98",
  },
});

/** The nonce of this page from the server, for style elements created by libraries. */
export function styleNonce(): string {
  return document.querySelector<HTMLMetaElement>("meta[name=style-nonce]")?.nonce ?? "";
}
