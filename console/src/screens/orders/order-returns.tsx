import { Group } from "@mantine/core";
import type { AnswerOf } from "../../answer-of.ts";
import { useAnswer } from "../../data.ts";
import { linkTo } from "../../links.ts";
import { Go } from "../../parts/go.tsx";
import { StateBadge } from "../../parts/state-badge.tsx";
import type { Order } from "./order-words.ts";

type Rma = AnswerOf<"/client/rma/list">["items"][number];

/** The most returns that are named. */
const returnsMax = 10;

/** The returns of the goods of an order; empty while loading. */
export function useReturns({ clientId, orderId }: Order): readonly Rma[] {
  const { data } = useAnswer(
    "/client/rma/list",
    { query: { clientId, orderReference: orderId, limit: returnsMax } },
    { live: 30_000 },
  );
  return data?.items ?? [];
}

/** Links to the returns, each with its state. */
export function ReturnLinks({ returns }: { readonly returns: readonly Rma[] }) {
  return (
    <>
      {returns.map(({ clientId, rmaNumber, status }) => (
        <Group key={rmaNumber} gap={8}>
          <Go to={linkTo("return", clientId, rmaNumber)}>{rmaNumber}</Go>
          <StateBadge kind="return" state={status} />
        </Group>
      ))}
    </>
  );
}
