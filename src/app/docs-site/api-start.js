// The script of /docs/api; the program adds the call of startReference with the configuration of the reference.

/** Where the site opens its search: the only one of the documentation. */
const searchPath = "/docs?search";

/** The client of the examples in the documents. */
const shownClient = "DEMO";

/** Without an answer, as after the end of a session: undefined. */
async function readJson(path) {
  try {
    const response = await fetch(path);
    return response.ok ? await response.json() : undefined;
  } catch {
    return undefined;
  }
}

/** The clients that the reader may see; empty without a session of the console. */
async function readClients() {
  const deployment = await readJson("/docs/deployment.json");
  if (!deployment?.hasSession) return [];
  const page = await readJson("/v1/operatorService/clientDirectory/list?status=ACTIVE&limit=500");
  return page?.items.map(({ clientId }) => clientId) ?? [];
}

/** The choice of the client in the head line, and the place of its keys: secrets were shown once, when they were issued. */
function showClients(clients, client) {
  const choice = document.createElement("select");
  choice.append(...clients.map((id) => new Option(id, id, false, id === client)));
  choice.addEventListener("change", () => {
    location.search = new URLSearchParams({ client: choice.value });
  });
  const label = document.createElement("label");
  label.append("Client ", choice);
  const keys = document.createElement("a");
  keys.href = `/console/clients/${encodeURIComponent(client)}`;
  keys.textContent = `Keys of ${client}`;
  document.querySelector("body > header nav a:last-child")?.before(label, keys);
}

/** The documents are the same for all readers: the chosen client comes into the examples here, and into no cache. */
function fetchFor(client) {
  return async (input, init) => {
    const response = await fetch(input, init);
    const { pathname } = new URL(input.url ?? input, location.href);
    if (!pathname.startsWith("/docs/api/")) return response;
    return new Response((await response.text()).replaceAll(`"${shownClient}"`, JSON.stringify(client)), response);
  };
}

globalThis.startReference = async (configuration) => {
  const clients = await readClients();
  const asked = new URLSearchParams(location.search).get("client");
  const client = [asked, shownClient, clients[0]].find((id) => clients.includes(id));
  if (client !== undefined) showClients(clients, client);
  const isOther = client !== undefined && client !== shownClient;
  Scalar.createApiReference(
    "#reference",
    isOther ? { ...configuration, customFetch: fetchFor(client) } : configuration,
  );
};

// The keys of the site's search.
document.addEventListener("keydown", (event) => {
  const isControl = event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey);
  const isSlash = event.key === "/" && !event.target.closest("input, textarea, select, [contenteditable]");
  if (!isControl && !isSlash) return;
  event.preventDefault();
  location.assign(searchPath);
});
