import { Button } from "@mantine/core";
import { Link, useSearchParams } from "react-router";
import { api } from "../../api.ts";
import { useAnswer } from "../../data.ts";
import { useFacilityOptions } from "../../directory.ts";
import { repeatPath } from "../../links.ts";
import type { HoldType } from "../../order-filters.ts";
import { ActionButton } from "../../parts/actions/action-button.tsx";
import { useReason } from "../../parts/actions/action-reasons.tsx";
import type { Field, Values } from "../../parts/fields.tsx";
import { withScope } from "../../scope.ts";
import { useMay } from "../../session.tsx";
import { hasLeft, holdOptions, holdWord, type Order, whyFixed } from "./order-words.ts";
import { printFields, printOrders, printText } from "./print-papers.ts";

/** Option for all holds of the order: "lift all". */
const allHolds = "";

interface OrderActionsProps {
  readonly order: Order;
  readonly isCancelRequested: boolean;
}

/** An operator's actions on an order; destructive ones come last. A rejection shows the service's reason. */
export function OrderActions({ order, isCancelRequested }: OrderActionsProps) {
  const { clientId, orderId, holds } = order;
  const params = { path: { orderId }, query: { clientId } };
  const gone = hasLeft(order)
    ? `The order is ${order.status.toLowerCase().replaceAll("_", " ")} and cannot be changed.`
    : undefined;
  const fixed = gone ?? whyFixed(order);
  const { distributionCentres: at } = order;
  // A split order can be gathered in one of its facilities.
  const others = useFacilityOptions().filter(({ value }) => at.length > 1 || value !== order.distributionCentre);
  const release = (types: readonly HoldType[]) =>
    api.POST("/order/liftHold/{orderId}", { params, body: { types: [...types] } });
  return (
    <>
      {holds.length === 0 ? null : (
        <ActionButton
          verb="Release order"
          isPrimary
          title={`Release order ${orderId}`}
          text={
            holds.length === 1
              ? `The hold “${holdWord(holds[0]?.type ?? "")}” is released. Allocation runs again and the order continues.`
              : "When its last hold is released, the order continues and allocation runs again."
          }
          fields={holds.length === 1 ? [] : [whichHold(holds.map(({ type }) => type))]}
          run={({ type = allHolds }) =>
            release(type === allHolds ? holds.map((hold) => hold.type) : [type as HoldType])
          }
          done={`Order ${orderId} was released.`}
        />
      )}
      <ActionButton
        verb="Hold order"
        title={`Hold order ${orderId}`}
        text="The order keeps its allocated stock and is not despatched until it is released. The warehouse is instructed to keep it back."
        fields={holdFields}
        run={({ type = "OTHER", reason = "" }) =>
          api.POST("/order/setHold/{orderId}", { params, body: { type: type as HoldType, reason } })
        }
        done={`Order ${orderId} is held.`}
        whyNot={gone}
      />
      <ActionButton
        verb="Change shipping"
        title={`Change shipping of order ${orderId}`}
        text="If a carrier was determined, it is determined again."
        fields={shippingFields(order)}
        run={(values) => api.PATCH("/client/order/update/{orderId}", { params, body: shippingPatch(values) })}
        done={`Order ${orderId} was changed.`}
        whyNot={fixed}
      />
      <ActionButton
        verb="Change address"
        title={`Change the address of order ${orderId}`}
        text="Possible until the first unit is packed."
        fields={addressFields(order)}
        run={(values) =>
          api.PATCH("/client/order/update/{orderId}", {
            params,
            body: { shipToAddress: addressPatch(order, values) },
          })
        }
        done={`The address of order ${orderId} was changed.`}
        whyNot={fixed}
      />
      {others.length === 0 ? null : (
        <ActionButton
          verb="Move to facility"
          title={`Move order ${orderId} to another facility`}
          text={`Possible until ${at.join(" or ")} has taken the order. Its stock is free again, its task is withdrawn, and the new facility allocates its own stock. The client is notified.`}
          fields={[{ name: "facility", label: "Facility", kind: "select", isRequired: true, options: others }]}
          run={({ facility = "" }) =>
            api.PATCH("/client/order/update/{orderId}", { params, body: { distributionCentre: facility } })
          }
          done={({ distributionCentre }) => `Order ${orderId} is at ${distributionCentre} now.`}
          whyNot={fixed}
        />
      )}
      <ActionButton
        verb="Print"
        title={`Print the papers of order ${orderId}`}
        text={printText}
        fields={printFields}
        run={(values) => printOrders([order], values)}
        refresh={[]}
      />
      <Repeat order={order} />
      <ActionButton
        verb="Add note"
        title={`Note about order ${orderId}`}
        text="The timeline shows it with your name. Operators see it, the client does not. It is deleted with the personal data of the order."
        fields={[{ name: "text", label: "Note", kind: "lines", isRequired: true }]}
        run={({ text = "" }) => api.POST("/order/note/{orderId}", { params, body: { text } })}
        done="The note was added."
      />
      <ActionButton
        verb="Cancel order"
        title={`Cancel order ${orderId}`}
        text="Units that the warehouse has not started are cancelled at once and their stock is freed. The warehouse is asked to stop the others. Despatched units can only be returned."
        fields={[
          { name: "reason", label: "Reason", isRequired: true, description: "The client is notified of the reason." },
        ]}
        run={({ reason = "" }) => api.POST("/client/order/cancel/{orderId}", { params, body: { reason } })}
        done={({ outcome, order: { status } }) =>
          outcome === "REQUESTED"
            ? `The warehouse has goods of order ${orderId}, and was asked to stop it.`
            : status === "CANCELLED"
              ? `Order ${orderId} is cancelled.`
              : `The units of order ${orderId} that had not left are cancelled.`
        }
        whyNot={gone ?? (isCancelRequested ? "The warehouse has not answered the request yet." : undefined)}
        isDestructive
      />
    </>
  );
}

/** Opens a copy of the order's first document with another number in the validator, which sends it. */
function Repeat({ order: { feedToken, personalDataErasedAt } }: { readonly order: Order }) {
  const [params] = useSearchParams();
  const mayRepeat = useMay("operator");
  const feed = useAnswer(
    "/feed/get/{token}",
    { path: { token: feedToken } },
    { isReady: mayRepeat && personalDataErasedAt === null },
  );
  const verb = "Repeat order";
  const whyNot =
    personalDataErasedAt !== null
      ? "Its document was erased with the personal data of the order."
      : feed.data?.isPayloadKept === false
        ? "Its document is no longer stored."
        : undefined;
  useReason(verb, mayRepeat ? whyNot : undefined);
  if (!mayRepeat) return null;
  if (whyNot !== undefined)
    return (
      <Button size="xs" variant="default" disabled title={whyNot}>
        {verb}
      </Button>
    );
  return (
    <Button component={Link} to={withScope(repeatPath(feedToken), params)} size="xs" variant="default">
      {verb}
    </Button>
  );
}

const holdFields: readonly Field[] = [
  { name: "type", label: "Kind of hold", kind: "select", options: holdOptions, initial: "OTHER", isRequired: true },
  { name: "reason", label: "Reason", isRequired: true, description: "The client is notified of the reason." },
];

function whichHold(types: readonly string[]): Field {
  const options = types.map((value) => ({ value, label: holdWord(value) }));
  return { name: "type", label: "Only this hold", kind: "select", options, placeholder: "All holds" };
}

function shippingFields(order: Order): readonly Field[] {
  return [
    { name: "shippingMethod", label: "Shipping method", initial: order.shippingMethod ?? "" },
    {
      name: "carrierCode",
      label: "Carrier",
      initial: order.carrierCode ?? "",
      description: "Empty: determined automatically.",
    },
    {
      name: "priority",
      label: "Priority",
      kind: "select",
      isRequired: true,
      initial: String(order.priority),
      options: Array.from({ length: 9 }, (_, i) => ({
        value: String(i + 1),
        label: `${i + 1}${i === 0 ? ", served first" : i === 8 ? ", served last" : ""}`,
      })),
    },
  ];
}

/** An empty value is removed. */
const orNull = (text: string | undefined) => (text === undefined || text.trim() === "" ? null : text.trim());

function shippingPatch({ shippingMethod, carrierCode, priority }: Values) {
  return { shippingMethod: orNull(shippingMethod), carrierCode: orNull(carrierCode), priority: Number(priority) };
}

const addressNames = [
  ["firstName", "First name"],
  ["lastName", "Last name"],
  ["companyName", "Company"],
  ["address1", "Street and number"],
  ["address2", "Second line"],
  ["zip", "Postcode"],
  ["city", "City"],
  ["state", "State or county"],
  ["country", "Country, two letters"],
  ["phone", "Telephone"],
  ["email", "Mail address"],
] as const;
const required: readonly string[] = ["address1", "city", "country"];

function addressFields({ shipToAddress }: Order): readonly Field[] {
  return addressNames.map(([name, label]) => ({
    name,
    label,
    initial: shipToAddress?.[name] ?? "",
    isRequired: required.includes(name),
  }));
}

/** Only the changed fields. */
function addressPatch({ shipToAddress }: Order, values: Values) {
  return Object.fromEntries(
    addressNames.flatMap(([name]) => {
      const next = orNull(values[name]);
      return next === (shipToAddress?.[name] ?? null) ? [] : [[name, next]];
    }),
  );
}
