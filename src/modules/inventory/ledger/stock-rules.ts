/** The invariants of stock (lifecycle.md §8), each with the text of its violation. */
export const stockRules = {
  BALANCE: "the balance is not the sum of its movements",
  BALANCE_ALLOCATED: "what the balance has allocated is not the sum of its movements",
  NEGATIVE: "a balance is below zero",
  ALLOCATED_LIMIT: "more is allocated than there is GOOD stock",
  HELD: "what the balance has allocated is not what orders and work orders hold of the lot",
  ORDER_ALLOCATED: "the order line's qtyAllocated is not what it holds",
  ORDER_PICKED: "the order line's qtyPicked is not what it holds",
  ORDER_PACKED: "the order line's qtyPacked is not what it holds",
  WORK_ORDER: "the component's qtyAllocated is not what it holds",
  SERIALS: "there are not as many serial numbers in stock as units",
  POSITIONS: "the book's last position is not the number of its entries",
} as const;

export type StockRule = keyof typeof stockRules;
