import { ApiProblem, api } from "../../api.ts";
import { useClients } from "../../directory.ts";
import { linkTo } from "../../links.ts";
import { ActionButton } from "../../parts/actions/action-button.tsx";
import { useScope } from "../../scope.ts";

/** Creates an order by the body of `order/create`, as the program of a brand would. */
export function OrderInJson() {
  const { clientId } = useScope();
  const clients = useClients();
  const owner = clientId ?? clients[0]?.clientId;
  return (
    <ActionButton
      verb="Create order in JSON"
      title="Create an order in JSON"
      text="The body of POST /v1/orderService/order/create. Every fault is named with its place, and nothing is stored then."
      fields={[{ name: "body", label: "Body", kind: "lines", isRequired: true, initial: templateOf(owner ?? "") }]}
      run={({ body = "" }) => create(body)}
      done={({ orderId }) => `Order ${orderId} was created.`}
      opens={({ clientId: ofOrder, orderId }) => linkTo("order", ofOrder, orderId)}
      whyNot={owner === undefined ? "There is no client." : undefined}
    />
  );
}

async function create(text: string) {
  try {
    return await api.POST("/client/order/create", { body: JSON.parse(text) });
  } catch (error) {
    if (error instanceof SyntaxError) throw new Error(`The text is not JSON: ${error.message}.`);
    if (!(error instanceof ApiProblem) || error.errors.length === 0) throw error;
    throw new Error(error.errors.map(({ pointer, message }) => `${pointer}: ${message}`).join(" "));
  }
}

const templateOf = (clientId: string) =>
  JSON.stringify(
    {
      clientId,
      orderId: `JSON-${Date.now()}`,
      orderDate: new Date().toISOString(),
      shipToAddress: { lastName: "Khan", address1: "4 Mill Lane", city: "Leeds", zip: "LS1 4AP", country: "GB" },
      lines: [{ lineNumber: 1, sku: "MUG-BLUE-330", qty: 1 }],
    },
    undefined,
    2,
  );
