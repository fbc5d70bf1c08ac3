// The pictures of README.md, and the words on them. `npm run pictures` makes both from the demo; without it, the test
// compares the words with those of the screens, so that no picture shows what the console no longer says.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { OperatorRole } from "#/http/access/operator-role.ts";
import type { ConsoleUser } from "../support/app/console.ts";
import { browserWorld, type Scheme } from "../support/browser/chromium.ts";

const world = await browserWorld();
const isMaking = process.env.CROSSDOCK_TEST_UPDATE !== undefined;

interface Picture {
  readonly role: OperatorRole;
  readonly scheme: Scheme;
  /** Path below /console. */
  find(user: ConsoleUser): Promise<string> | string;
  /** Text of the screen's data, which arrive after the screen. */
  readonly awaited: string | RegExp;
}

const pictures: Readonly<Record<string, Picture>> = {
  "console-overview": { role: "admin", scheme: "light", find: () => "/overview", awaited: "In transit" },
  "console-feed": {
    role: "operator",
    scheme: "light",
    async find(user) {
      const { status, body } = await user.get("/feed/list?state=REJECTED&clientId=DEMO&limit=200");
      assert.equal(status, 200, JSON.stringify(body));
      // Its second line has the quantity "two".
      const { token } = body.items.find(({ objectId }: { objectId: string }) => objectId === "WEB-210002");
      return `/feeds/${token}`;
    },
    awaited: /'two' is not a valid decimal/,
  },
  "console-exceptions-dark": { role: "admin", scheme: "dark", find: () => "/exceptions", awaited: "Feed rejected" },
};

/**
 * The titles, labels and explanations that a reader of the picture sees, with # for figures: not the data, as which
 * objects, carriers and kinds of exceptions there are.
 */
const wordsOnScreen = `[...document.querySelectorAll("nav p, nav a, main :is(h1, h2, h3, section p, th, dt, label, button, [role=tab]), main a > span:first-child")]
  .filter((element) => {
    const { top, height, width } = element.getBoundingClientRect();
    return top < innerHeight && height > 1 && width > 1 && element.closest("td, th[scope=row], [data-row]") === null;
  })
  .map((element) => {
    const shown = element.cloneNode(true);
    for (const hidden of shown.querySelectorAll("[aria-hidden=true]")) hidden.remove();
    return shown.textContent.trim().replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "#").replace(/\\d[\\d,.:]*/g, "#");
  })
  .filter((text) => /[a-z]{2}/i.test(text) && !text.endsWith("#"))`;

for (const [name, { role, scheme, find, awaited }] of Object.entries(pictures)) {
  world.test(`${name}.png shows the words of the screen`, async (open) => {
    const visitor = await open(role);
    const { page, user } = visitor;
    assert.ok(user);
    await visitor.setScheme(scheme);
    await page.setViewportSize({ width: 1280, height: 800 });
    await visitor.open(await find(user));
    await page.getByText(awaited).first().waitFor();
    await visitor.settled();
    const words = [...new Set(await page.evaluate<string[]>(wordsOnScreen))];
    const fileOf = (ending: string) => fileURLToPath(new URL(`../../docs/images/${name}.${ending}`, import.meta.url));
    if (isMaking) {
      await page.screenshot({ path: fileOf("png") });
      writeFileSync(fileOf("txt"), `${words.join("\n")}\n`);
    }
    const known = readFileSync(fileOf("txt"), "utf8").trimEnd().split("\n");
    assert.deepEqual(words, known, "`npm run pictures` makes the pictures again: look at them");
  });
}
