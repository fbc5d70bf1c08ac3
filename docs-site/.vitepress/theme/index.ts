import type { Theme } from "vitepress";
import DefaultTheme from "vitepress/theme-without-fonts";
import { h } from "vue";
import { AbsentPage } from "./absent-page.ts";
import { fillInAddresses } from "./addresses.ts";
import { ClientValues } from "./client-values.ts";
import { LanguagePanel, LanguageTabs } from "./language-tabs.ts";
import { openSearchIfAsked } from "./open-search.ts";
import { StartPage } from "./start-page.ts";
import "@fontsource-variable/inter";
import "./style.css";

// VitePress looks for the default export.
export default {
  extends: DefaultTheme,
  Layout: () => h(DefaultTheme.Layout, null, { "doc-before": () => h(ClientValues), "not-found": () => h(AbsentPage) }),
  enhanceApp({ app }) {
    app.component("StartPage", StartPage);
    app.component("LanguageTabs", LanguageTabs);
    app.component("LanguagePanel", LanguagePanel);
  },
  setup() {
    fillInAddresses();
    openSearchIfAsked();
  },
} satisfies Theme;
