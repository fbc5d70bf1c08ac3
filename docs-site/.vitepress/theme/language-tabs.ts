import { useData } from "vitepress";
import {
  computed,
  defineComponent,
  h,
  type InjectionKey,
  inject,
  nextTick,
  onMounted,
  provide,
  ref,
  useId,
  watch,
} from "vue";

const storedAs = "crossdock-docs-language";

/** The reader's language on all pages; undefined before the first choice, and while the pages are built. */
const chosen = ref<string>();

interface Tabs {
  isShown(language: string): boolean;
  tabId(language: string): string;
  panelId(language: string): string;
}

const tabsKey: InjectionKey<Tabs> = Symbol("tabs");

/** The key moves to another tab, as the pattern of WAI-ARIA has it. */
const places: Readonly<Record<string, (at: number, count: number) => number>> = {
  ArrowLeft: (at, count) => (at + count - 1) % count,
  ArrowRight: (at, count) => (at + 1) % count,
  Home: () => 0,
  End: (_at, count) => count - 1,
};

/** Programs in several languages, one of which is shown. Without script all of them are, with their headings. */
export const LanguageTabs = defineComponent({
  props: { languages: { type: String, required: true } },
  setup(props, { slots }) {
    const names = props.languages.split(" ");
    const id = useId();
    const shown = computed(() => names.find((name) => name === chosen.value) ?? names[0]);
    const idOf = (kind: string, language: string) => `${id}-${kind}-${names.indexOf(language)}`;
    const tabs: Tabs = {
      isShown: (language) => shown.value === language,
      tabId: (language) => idOf("tab", language),
      panelId: (language) => idOf("panel", language),
    };
    provide(tabsKey, tabs);
    // Only now: until here the page has the markup of the build.
    onMounted(() => {
      chosen.value ??= readChoice();
    });

    const moveByKey = (event: KeyboardEvent) => {
      const place = places[event.key]?.(names.indexOf(shown.value ?? ""), names.length);
      const name = place === undefined ? undefined : names[place];
      if (name === undefined) return;
      event.preventDefault();
      const tab = document.getElementById(tabs.tabId(name));
      tab?.focus({ preventScroll: true });
      void choose(name, tab);
    };
    const tabOf = (language: string) =>
      h(
        "button",
        {
          type: "button",
          role: "tab",
          class: "program-tab",
          id: tabs.tabId(language),
          "aria-controls": tabs.panelId(language),
          "aria-selected": tabs.isShown(language),
          tabindex: tabs.isShown(language) ? 0 : -1,
          onClick: (event: MouseEvent) => choose(language, event.currentTarget as HTMLElement),
          onKeydown: moveByKey,
        },
        language,
      );
    return () => [
      h("div", { class: "program-tabs", role: "tablist", "aria-label": "Language" }, names.map(tabOf)),
      slots.default?.(),
    ];
  },
});

export const LanguagePanel = defineComponent({
  props: { language: { type: String, required: true } },
  setup({ language }, { slots }) {
    const tabs = inject(tabsKey) as Tabs;
    const { hash } = useData();
    const panel = ref<HTMLElement>();
    const showTarget = async () => {
      const target = document.getElementById(decodeURIComponent(hash.value.slice(1)));
      if (target === null || !panel.value?.contains(target)) return;
      chosen.value = language;
      await nextTick();
      // VitePress measures the place before the panel is shown, and scrolls there in the next frame.
      requestAnimationFrame(() => target.scrollIntoView());
    };
    onMounted(showTarget);
    watch(hash, showTarget);
    return () =>
      h(
        "section",
        {
          ref: panel,
          role: "tabpanel",
          class: ["program-panel", { shown: tabs.isShown(language) }],
          id: tabs.panelId(language),
          "aria-labelledby": tabs.tabId(language),
        },
        slots.default?.(),
      );
  },
});

/** @param tab stays where it is on the screen, although the tabs above it change their heights too */
async function choose(language: string, tab: HTMLElement | null): Promise<void> {
  const topBefore = tab?.getBoundingClientRect().top ?? 0;
  chosen.value = language;
  await nextTick();
  scrollBy({ top: (tab?.getBoundingClientRect().top ?? 0) - topBefore, behavior: "instant" });
  try {
    localStorage.setItem(storedAs, language);
  } catch {
    // A browser without storage forgets the choice with the page.
  }
}

function readChoice(): string | undefined {
  try {
    return localStorage.getItem(storedAs) ?? undefined;
  } catch {
    return undefined;
  }
}
