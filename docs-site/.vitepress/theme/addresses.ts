import { useRoute } from "vitepress";
import { nextTick, onMounted, watch } from "vue";
import { readDeployment } from "./deployment.ts";

/** The address in the guides. */
const shownUrl = "http://127.0.0.1:8080";

/** Variables of the guides for addresses that a deployment may have apart; all others are of the REST services. */
const partOf: Readonly<Record<string, "feed" | "auth">> = { FEEDS: "feed", AUTH: "auth" };

/** Puts the addresses of this deployment into the commands of a page, so that they work as they are copied. */
export function fillInAddresses(): void {
  const route = useRoute();
  const fillIn = async () => {
    const deployment = await readDeployment();
    await nextTick();
    if (deployment === undefined) return;
    const { addresses } = deployment;
    for (const line of document.querySelectorAll(".vp-doc pre .line")) {
      const [, variable = ""] = /^(?:export )?([A-Z]+)=/.exec(line.textContent ?? "") ?? [];
      const address = addresses[partOf[variable] ?? "base"];
      const texts = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
      for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
        text.nodeValue = text.nodeValue?.replaceAll(shownUrl, address) ?? null;
      }
    }
  };
  onMounted(fillIn);
  watch(() => route.data, fillIn);
}
