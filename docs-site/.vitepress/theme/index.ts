import type { Theme } from "vitepress";
import DefaultTheme from "vitepress/theme-without-fonts";
import { fillInAddresses } from "./addresses.ts";
import { StartPage } from "./start-page.ts";
import "./style.css";

// VitePress looks for the default export.
export default {
  extends: DefaultTheme,
  enhanceApp({ app }) {
    app.component("StartPage", StartPage);
  },
  setup() {
    fillInAddresses();
  },
} satisfies Theme;
