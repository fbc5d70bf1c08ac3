import { useRoute, withBase } from "vitepress";
import { computed, defineComponent, h } from "vue";
import { nearestName } from "../../../src/kernel/values/nearest-name.ts";
import { pages, sections } from "../../contents.ts";
import { openSearch } from "./open-search.ts";

interface Near {
  readonly path: string;
  readonly title: string;
}

const nearPages: ReadonlyMap<string, Near> = new Map([
  ...pages.map(({ name, title }) => [name, { path: withBase(`/${name}`), title }] as const),
  ...sections
    .flatMap(({ programPages = [] }) => programPages)
    .map(({ path, title }) => [path.replace(/^\/(?:docs\/)?/, ""), { path, title }] as const),
]);

/** For an unknown path: what was asked for, the page with the nearest name, the search for its words, and ways back. */
export const AbsentPage = defineComponent(() => {
  const route = useRoute();
  const name = computed(() => nameOf(route.path));
  const near = computed(() => nearPages.get(nearestName(name.value.toLowerCase(), [...nearPages.keys()]) ?? ""));
  const words = computed(() => name.value.replace(/[^\p{L}\p{N}]+/gu, " ").trim());
  return () =>
    h("div", { class: "absent-page vp-doc" }, [
      h("h1", "There is no such page"),
      h("p", ["The documentation has no page ", h("code", decoded(route.path)), "."]),
      near.value && h("p", ["Did you mean ", linkTo(near.value), "?"]),
      h("ul", [
        h("li", linkTo({ path: withBase("/"), title: "All pages of the documentation" })),
        h("li", linkTo({ path: withBase("/api"), title: "API reference" })),
        words.value !== "" &&
          h("li", [
            h("button", { type: "button", onClick: () => openSearch(words.value) }, `Search for “${words.value}”`),
          ]),
      ]),
    ]);
});

// The program makes some of the pages, so the browser loads them.
const linkTo = ({ path, title }: Near) => h("a", { href: path, target: "_self" }, title);

const nameOf = (path: string) =>
  decoded(path)
    .replace(/^\/docs\//, "")
    .replace(/(?:\.md|\.html|\/)$/, "");

function decoded(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}
