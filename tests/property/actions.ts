// All possible actions, each on an object that exists at that moment. An action may be refused; nothing may break.
import { floorActions } from "./floor-actions.ts";
import { goodsActions } from "./goods-actions.ts";
import { orderActions } from "./order-actions.ts";
import { stockActions } from "./stock-actions.ts";
import type { Choice, World } from "./world.ts";

export const actions = {
  ...orderActions,
  ...floorActions,
  ...goodsActions,
  ...stockActions,
  /** Waits for the relay and the allocator. */
  async wait(_world: World, { a }: Choice) {
    await new Promise((resolve) => setTimeout(resolve, 50 + (a % 3) * 100));
  },
};

export type ActionName = keyof typeof actions;

export interface Action extends Choice {
  readonly name: ActionName;
}

export async function act(world: World, { name, ...choice }: Action): Promise<void> {
  await actions[name](world, choice);
}
