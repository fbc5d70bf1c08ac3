// The jobs of an operator in the console: each begins at the overview, takes few actions, and is a row of docs/console.md.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Locator, Page } from "playwright-core";
import type { OperatorRole } from "#/http/access/operator-role.ts";
import type { ConsoleAnswer } from "../app/console.ts";
import type { BrowserWorld, ConsolePage } from "./chromium.ts";

/** A job that takes more has a dead end, or a control that is hard to find. */
const actionsMax = 8;
const page = fileURLToPath(new URL("../../../docs/console.md", import.meta.url));
const heading = "## Jobs, step by step";

/** An operator whose actions are counted. `words` is what the documentation says; without them, the step before covers the action. */
export interface Hands {
  readonly page: Page;
  readonly visitor: ConsolePage;
  click(target: Locator, words?: string): Promise<void>;
  fill(field: Locator, text: string, words?: string): Promise<void>;
  /** Opens a list of options and takes one. */
  choose(field: Locator, option: string | RegExp, words?: string): Promise<void>;
  press(key: string, words?: string): Promise<void>;
  /** Opens a screen in the navigation. */
  go(screen: string): Promise<void>;
  /** Opens what a number names. @param words "the number of the order" */
  search(text: string, words: string): Promise<void>;
  /** Reads a record below /v1/operatorService. */
  read(path: string): Promise<ConsoleAnswer["body"]>;
  /** The rows of a list. */
  rows(list: string): Locator;
}

export type Job = (title: string, role: OperatorRole, work: (hands: Hands) => Promise<void>) => void;

/** @returns a function that declares a test of a job: its title is that of the row in the documentation */
export function jobsOf(world: BrowserWorld): Job {
  return (title, role, work) => {
    world.test(title, async (open) => {
      const visitor = await open(role);
      await visitor.open("/overview");
      const { hands, steps, actions } = handsOf(visitor);
      await work(hands);
      await visitor.check();
      assert.ok(actions() <= actionsMax, `${actions()} actions: ${steps.join(", ")}`);
      assertDocumented(title, `| ${title} | ${steps.join(" → ")} | ${actions()} |`);
    });
  };
}

function handsOf(visitor: ConsolePage) {
  const { page: tab, user } = visitor;
  const steps: string[] = [];
  let count = 0;
  const act = async (words: string | undefined, action: () => Promise<unknown>) => {
    count++;
    if (words !== undefined) steps.push(words);
    await action();
  };
  const hands: Hands = {
    page: tab,
    visitor,
    click: (target, words) => act(words, () => target.click()),
    fill: (field, text, words) => act(words, () => field.fill(text)),
    choose: (field, option, words) =>
      act(words, async () => {
        await field.click();
        await tab.getByRole("option", { name: option }).first().click();
      }),
    press: (key, words) => act(words, () => tab.keyboard.press(key)),
    go: (screen) =>
      hands.click(tab.getByRole("navigation").getByRole("link", { name: screen, exact: true }), `**${screen}**`),
    async search(text, words) {
      await hands.press("/", "`/`");
      await hands.fill(tab.getByRole("combobox", { name: "Search" }), text, words);
      await tab
        .getByRole("option", { name: new RegExp(text) })
        .first()
        .waitFor();
      await hands.press("Enter", "Enter");
    },
    async read(path) {
      const answer = await user?.get(path);
      assert.equal(answer?.status, 200, path);
      return answer?.body;
    },
    rows: (list) => tab.getByRole("region", { name: list, exact: true }).locator("tbody tr[aria-rowindex]"),
  };
  return { hands, steps, actions: () => count };
}

/** Compares the row of the job with the documentation, or writes it (CROSSDOCK_TEST_UPDATE=1). */
function assertDocumented(title: string, row: string): void {
  const lines = readFileSync(page, "utf8").split("\n");
  const place = lines.findIndex((line) => line.startsWith(`| ${title} |`));
  if (process.env.CROSSDOCK_TEST_UPDATE !== "1") {
    assert.equal(lines[place], row, "the row of docs/console.md; CROSSDOCK_TEST_UPDATE=1 writes it");
    return;
  }
  const end = lines.findIndex((line, i) => i > lines.indexOf(heading) && line.startsWith("## "));
  const last = lines.findLastIndex((line, i) => i < end && line.startsWith("|"));
  if (place >= 0) lines[place] = row;
  else lines.splice(last + 1, 0, row);
  writeFileSync(page, lines.join("\n"));
}
