// feeds.md §4, CAT: kits and their components; §2 [KIT]. The same items in JSON.
import assert from "node:assert/strict";
import { test } from "node:test";
import { testServer } from "../../support/app/server.ts";
import { attributes, catalogue, order, type Parts } from "../../support/builders/documents.ts";
import { restCalls } from "../../support/http/rest-calls.ts";

const server = await testServer();
const demo = await server.onboard("DEMO");
const call = restCalls(server.url, "/v1/itemMasterService", demo.credentials);

const kit = (sku: string, ...parts: readonly (readonly [sku: string, qty: number | string])[]): Parts => ({
  sku,
  components: { component: parts.map(([sku, qty]) => ({ sku, qty })) },
});
const cat = (...items: (string | Parts)[]) => catalogue("DEMO", items);

async function componentsOf(...skus: string[]): Promise<unknown[]> {
  const { body } = await call("POST", "/findItemBySkuList", { skus });
  return (body.items as { components: unknown }[]).map(({ components }) => components);
}

test("a kit has its components, from one document with them or after them, and loses them with a CAT without", async () => {
  await demo.accept("CAT", cat("A", { sku: "OIL", extendedAttributes: attributes({ StockUom: "KGM" }) }));
  await demo.accept("CAT", cat(kit("K", ["A", 2], ["OIL", "0.25"]), kit("L", ["B", 1]), "B"));
  assert.deepEqual(await componentsOf("K", "L", "A", "GHOST"), [
    [
      { sku: "A", qty: 2 },
      { sku: "OIL", qty: 0.25 },
    ],
    [{ sku: "B", qty: 1 }],
    [],
    null,
  ]);
  await demo.accept("CAT", cat("L"));
  assert.deepEqual(await componentsOf("L"), [[]]);
  await demo.accept("CAT", cat(kit("K", ["L", 1])));
  assert.deepEqual(await componentsOf("K"), [[{ sku: "L", qty: 1 }]]);
});

test("a kit in a kit, from whichever side, an unknown and a repeated component are refused", async () => {
  await demo.accept("CAT", cat("P", "Q", kit("KIT", ["P", 1])));
  await demo.refuse(
    "CAT",
    cat(kit("X", ["KIT", 1])),
    "[KIT] item/components/component/sku: component KIT of kit X is a kit itself",
  );
  await demo.refuse(
    "CAT",
    cat(kit("P", ["Q", 1])),
    "[KIT] item/components: SKU P is a component of kit KIT, so it cannot be a kit",
  );
  await demo.refuse(
    "CAT",
    cat(kit("X", ["Y", 1]), kit("Y", ["Q", 1])),
    "[KIT] item[1]/components/component/sku: component Y of kit X is a kit itself",
  );
  await demo.refuse(
    "CAT",
    cat("Z", kit("X", ["Q", 1], ["GHOST", 1])),
    "[KIT] item[2]/components/component[2]/sku: component GHOST of kit X is not known: send it in this CAT, or before",
  );
  await demo.refuse(
    "CAT",
    cat(kit("X", ["Q", 1], ["Q", 2], ["X", 1])),
    "[KIT] item/components/component[2]/sku: SKU 'Q' is in the kit twice, first as component[1]",
    "[KIT] item/components/component[3]/sku: SKU 'X' cannot be a component of itself",
  );
  // One document may move a component out of a kit and make it one.
  await demo.accept("CAT", cat(kit("P", ["Q", 1]), "KIT"));
});

test("components and kits are counted in the stock units of their items", async () => {
  await demo.accept("CAT", cat("E"));
  await demo.refuse(
    "CAT",
    cat(kit("X", ["E", "0.5"])),
    "[KIT] item/components/component/qty: '0.5' of component E is not a whole number of EA",
  );
  await demo.refuse(
    "CAT",
    cat({ ...kit("X", ["E", 1]), extendedAttributes: attributes({ StockUom: "KGM" }) }),
    "[KIT] item/components: a kit is counted in EA, and StockUom is KGM",
  );
  const parts = Array.from({ length: 51 }, (_, i) => `PART-${i}`);
  await demo.refuse(
    "CAT",
    cat(...parts, kit("X", ...parts.map((sku) => [sku, 1] as const))),
    "[KIT] item[52]/components: 51 components, at most 50 are allowed",
  );
  await demo.refuse("CAT", cat(kit("X", ["E", 0])), /^\[XSD\] .*component\/qty: '0' is not a valid decimal/);
  await demo.accept("CAT", cat(kit("X", ["E", 1])));
  await demo.refuse(
    "CAT",
    cat({ sku: "E", extendedAttributes: attributes({ StockUom: "KGM" }) }),
    "[VALUE] StockUom of SKU E cannot change from EA to KGM while stock or open documents of it exist",
  );
});

test("with MERGE a kit stays one, and counts in its stored unit", async () => {
  const merging = await server.onboard("MERGING", { settings: { catMode: "MERGE" } });
  const merge = (...items: (string | Parts)[]) => catalogue("MERGING", items);
  await merging.accept(
    "CAT",
    merge("A", kit("K", ["A", 2]), { sku: "M", extendedAttributes: attributes({ StockUom: "M" }) }),
  );
  await merging.accept("CAT", merge({ sku: "K", name: "Renamed" }));
  const rows = await server.rows<{ name: string; components: unknown }>(
    "select name, components from item where client_id = 'MERGING' and sku = 'K'",
  );
  assert.deepEqual(rows, [{ name: "Renamed", components: [{ sku: "A", qty: 2 }] }]);
  await merging.refuse(
    "CAT",
    merge(kit("M", ["A", 1])),
    "[KIT] item/components: a kit is counted in EA, and StockUom is M",
  );
  await merging.refuse("CAT", merge({ sku: "K" }, kit("N", ["K", 1])), /component K of kit N is a kit itself/);
});

test("item/upsert takes what item/list answers, and points to the component of a fault", async () => {
  await demo.accept("CAT", cat("CUP", "TRAY"));
  const components = [
    { sku: "CUP", qty: 2 },
    { sku: "TRAY", qty: 1 },
  ];
  const { status, body } = await call("POST", "/item/upsert", { items: [{ sku: "SET", name: "Set", components }] });
  assert.equal(status, 200);
  assert.deepEqual((body.items as { components: unknown }[])[0]?.components, components);
  const template = await call("GET", "/item/template?sku=SET");
  assert.deepEqual((template.body.items as { components: unknown }[])[0]?.components, components);
  const again = await call("POST", "/item/upsert", template.body);
  assert.equal(again.status, 200);
  const refused = await call("POST", "/item/upsert", {
    items: [
      {
        sku: "SETS",
        name: "Sets",
        components: [
          { sku: "CUP", qty: 1 },
          { sku: "SET", qty: 1 },
        ],
      },
    ],
  });
  assert.equal(refused.status, 422);
  const [error] = refused.body.errors as { pointer: string; code: string }[];
  assert.deepEqual([error?.pointer, error?.code], ["#/items/0/components/1/sku", "KIT"]);
});

test("an order of kits has at most 1 000 components, and a warning for an inactive one", async () => {
  const inactive = { sku: "OFF", extendedAttributes: attributes({ Active: "false" }) };
  const parts = Array.from({ length: 50 }, (_, i) => `BIT-${i}`);
  await demo.accept(
    "CAT",
    cat(inactive, ...parts, kit("BIG", ...parts.map((sku) => [sku, 1] as const)), kit("ODD", ["OFF", 1])),
  );
  const lines = Array.from({ length: 21 }, () => "BIG");
  await demo.refuse(
    "NO",
    order("DEMO", "1", lines, {}),
    "[LIMIT] The document holds 1050 components of kits; at most 1000 are allowed",
  );
  const { token } = await demo.accept("NO", order("DEMO", "2", ["ODD"], {}));
  const { warnings } = await demo.status(token);
  assert.deepEqual(warnings, [
    "[INACTIVE_SKU] lines/line/sku: SKU OFF, a component of ODD, is inactive (Active is false in its CAT); the line waits until a CAT makes it active",
  ]);
});
