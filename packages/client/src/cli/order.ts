import { unwrap } from "../problem.ts";
import { restClient } from "./account.ts";
import type { Command } from "./command.ts";

export const orderGet: Command = {
  name: "order get",
  words: ["ORDER"],
  summary: "The order as JSON.",
  async run({ words: [orderId = ""], signal }) {
    const { client, rest } = restClient();
    const params = { path: { orderId }, query: { clientId: client } };
    const order = await unwrap(rest.orders.GET("/v1/orderService/order/get/{orderId}", { params, signal }));
    console.log(JSON.stringify(order, undefined, 2));
    return 0;
  },
};

export const orderExplain: Command = {
  name: "order explain",
  words: ["ORDER"],
  summary: "Why the order has not shipped, and what happens next.",
  options: { json: { type: "boolean" } },
  help: { json: "the whole explanation as JSON" },
  async run({ words: [orderId = ""], options, signal }) {
    const { client, rest } = restClient();
    const params = { path: { orderId }, query: { clientId: client } };
    const found = await unwrap(rest.orders.GET("/v1/orderService/order/explain/{orderId}", { params, signal }));
    if (options.json === true) {
      console.log(JSON.stringify(found, undefined, 2));
      return 0;
    }
    console.log(`Order ${found.orderId}: ${found.status}`);
    for (const text of [found.summary, found.next]) if (text) console.log(text);
    for (const { type, reason, since } of found.holds) console.log(`  hold ${type} since ${since}: ${reason}`);
    for (const { lineNumber, sku, qtyShort, uom, refusals } of found.lines) {
      if (qtyShort > 0) console.log(`  line ${lineNumber}: ${qtyShort} ${uom} of ${sku} missing`);
      for (const { text, release } of refusals) console.log(`    ${[text, release].filter(Boolean).join(" ")}`);
    }
    return 0;
  },
};
