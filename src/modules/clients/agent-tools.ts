/** The tools with which agents change something, by the types of the objects that they change (docs/agents.md). */
export const agentToolObjects = {
  hold_order: "order",
  release_order: "order",
  cancel_order: "order",
  update_order: "order",
  cancel_order_line: "order",
  hold_lot: "lot",
  release_lot: "lot",
  cancel_return: "return",
  cancel_work_order: "workOrder",
  redeliver_webhook: "delivery",
} as const;

export type AgentToolName = keyof typeof agentToolObjects;
export type AgentToolObject = (typeof agentToolObjects)[AgentToolName];

export const agentToolNames = Object.keys(agentToolObjects) as readonly AgentToolName[];
