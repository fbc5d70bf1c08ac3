import { useRoute } from "vitepress";
import { defineComponent, h, nextTick, onMounted, ref, useId, watch } from "vue";
import { readDeployment } from "./deployment.ts";

const operatorService = "/v1/operatorService";

/** The parts of the answers of the operator service that are shown. */
interface Session {
  readonly userName: string;
  /** Null: no limit. A user with a limit reads no credentials. */
  readonly facilityCodes: readonly string[] | null;
}
interface ClientPage {
  readonly items: readonly { readonly clientId: string }[];
}
interface Client {
  readonly clientId: string;
  /** The newest first. */
  readonly credentials: readonly {
    readonly credentialId: string;
    readonly kind: string;
    readonly revokedAt: string | null;
  }[];
}

/** Placeholders of the guides for a client's values. */
const shownValues: Readonly<Record<string, string>> = { CLIENT: "DEMO", CLIENT_ID: "…" };

/** The text of a line that sets one of them. */
interface Place {
  readonly text: Text;
  readonly variable: string;
  readonly original: string;
}

/**
 * For a reader with a session of the console: the commands of the page have the identifier of a client and its
 * client_id. Secrets are not filled in: the platform has only their hashes. Nothing is stored in the browser.
 */
export const ClientValues = defineComponent(() => {
  const route = useRoute();
  const user = ref<Session>();
  const clientIds = ref<readonly string[]>([]);
  const chosen = ref("");
  const isNeeded = ref(false);
  const hasClientId = ref(false);
  const selectId = useId();
  let places: readonly Place[] = [];

  const fillIn = async () => {
    const clientId = chosen.value;
    const oauth = places.some(({ variable }) => variable === "CLIENT_ID") ? await findClientId(clientId) : undefined;
    // Another client or page may have been chosen meanwhile.
    if (clientId !== chosen.value) return;
    hasClientId.value = oauth !== undefined;
    const values: Readonly<Record<string, string | undefined>> = { CLIENT: clientId, CLIENT_ID: oauth };
    for (const { text, variable, original } of places) {
      text.nodeValue = original.replace(shownValues[variable] ?? "", (shown) => values[variable] ?? shown);
    }
  };
  const findClientId = async (clientId: string) => {
    if (user.value?.facilityCodes !== null) return undefined;
    const client = await read<Client>(`/clientDirectory/get/${encodeURIComponent(clientId)}`);
    return client?.credentials.find(({ kind, revokedAt }) => kind === "oauth" && revokedAt === null)?.credentialId;
  };
  const prepare = async () => {
    // The new page is in the document then.
    await nextTick();
    places = placesOf(document);
    isNeeded.value = places.length > 0;
    if (!isNeeded.value || !(await readDeployment())?.hasSession) return;
    user.value ??= await read<Session>("/session/get");
    if (user.value === undefined) return;
    if (clientIds.value.length === 0) {
      const page = await read<ClientPage>("/clientDirectory/list?status=ACTIVE&limit=500");
      clientIds.value = page?.items.map(({ clientId }) => clientId) ?? [];
      chosen.value = clientIds.value.find((clientId) => clientId === shownValues.CLIENT) ?? clientIds.value[0] ?? "";
    }
    if (chosen.value !== "") await fillIn();
  };
  onMounted(prepare);
  watch(() => route.data, prepare);

  return () =>
    isNeeded.value && user.value !== undefined && chosen.value !== ""
      ? h("aside", { class: "client-values", "aria-label": "Values of a client" }, [
          h("p", [
            `You are signed in as ${user.value.userName}. The commands of this page have the values of `,
            h("label", { for: selectId }, "client "),
            h(
              "select",
              {
                id: selectId,
                value: chosen.value,
                onChange: (event: Event) => {
                  chosen.value = (event.target as HTMLSelectElement).value;
                  void fillIn();
                },
              },
              clientIds.value.map((clientId) => h("option", { value: clientId }, clientId)),
            ),
            hasClientId.value ? ": its identifier and its client_id." : ": its identifier.",
          ]),
          h("p", [
            "Keys and secrets were shown once, when they were issued: fill them in yourself, or ",
            h("a", { href: `/console/clients/${encodeURIComponent(chosen.value)}`, target: "_self" }, "issue new ones"),
            ". In a sandbox, npx crossdock hello shows those of DEMO.",
          ]),
        ])
      : undefined;
});

/** Lines that set a value as the guides show it. Programs that compute or use it stay as they are. */
function placesOf(root: ParentNode): Place[] {
  return [...root.querySelectorAll(".vp-doc pre .line")].flatMap((line) => {
    const [, variable = "", value] = /^(?:export )?([A-Z_]+)=(\S*)$/.exec(line.textContent ?? "") ?? [];
    if (value === undefined || shownValues[variable] !== value) return [];
    const texts = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
    let last: Text | undefined;
    for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
      if (text.nodeValue?.endsWith(value)) last = text as Text;
    }
    return last === undefined ? [] : [{ text: last, variable, original: last.nodeValue ?? "" }];
  });
}

/** Undefined if the operator service refuses it, as after the end of a session: the page then shows its own values. */
async function read<Answer>(path: string): Promise<Answer | undefined> {
  try {
    const response = await fetch(`${operatorService}${path}`);
    return response.ok ? ((await response.json()) as Answer) : undefined;
  } catch {
    return undefined;
  }
}
