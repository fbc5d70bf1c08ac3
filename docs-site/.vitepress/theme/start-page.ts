import { withBase } from "vitepress";
import { defineComponent, h, onMounted, ref } from "vue";
import { sections } from "../../contents.ts";
import { type Deployment, readDeployment } from "./deployment.ts";

interface Entry {
  readonly href: string;
  readonly title: string;
  readonly about: string;
  /** Whether the program makes the page, so that the browser loads it. */
  readonly isOfProgram: boolean;
}

const cards = sections.map(({ title, pages, programPages = [] }) => ({
  title,
  entries: [
    ...pages.map(({ name, ...page }): Entry => ({ href: `/${name}`, ...page, isOfProgram: false })),
    ...programPages.map(({ path, ...page }): Entry => ({ href: path, ...page, isOfProgram: true })),
  ],
}));

/** Lists of all pages, and of the files that this process serves to programs. */
export const StartPage = defineComponent(() => {
  const deployment = ref<Deployment>();
  onMounted(async () => {
    deployment.value = await readDeployment();
  });
  return () => [
    h(
      "div",
      { class: "start-cards" },
      cards.map(({ title, entries }) =>
        h("section", { class: "start-card" }, [h("h2", title), h("ul", entries.map(entryOf))]),
      ),
    ),
    filesOf(deployment.value),
  ];
});

function entryOf({ href, title, about, isOfProgram }: Entry) {
  const link = isOfProgram ? h("a", { href, target: "_self" }, title) : h("a", { href: withBase(href) }, title);
  return h("li", [link, h("span", { class: "start-about" }, about)]);
}

function filesOf(deployment: Deployment | undefined) {
  if (deployment === undefined) return undefined;
  const kinds = [...new Set(deployment.files.map(({ kind }) => kind))];
  return h("section", { class: "start-files" }, [
    h("h2", "Files for generators and validators"),
    kinds.map((kind) =>
      h("p", [
        `${kind}: `,
        deployment.files
          .filter((file) => file.kind === kind)
          .map(({ title, path }) => [h("a", { href: path, target: "_self" }, title), " "]),
      ]),
    ),
  ]);
}
