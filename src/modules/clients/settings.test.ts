import assert from "node:assert/strict";
import { test } from "node:test";
import { settingValues } from "#/kernel/config/setting-words.ts";
import { settingWords } from "#/modules/clients/setting-words.ts";
import {
  clientSettings,
  readSettings,
  resolveSettings,
  settingNames,
  settingText,
} from "#/modules/clients/settings.ts";

test("a client without overrides has the defaults of the contract", () => {
  assert.deepEqual(resolveSettings({}), {
    rejectedFeedStatus: 200,
    parkUnknownSkus: false,
    identicalResend: "REJECT",
    feedDeadlineMinutes: 15,
    catMode: "REPLACE",
    customsDestinations: [],
    namelessAddress: "REFUSE",
    doubtfulAddress: "WARN",
    addressCheck: "OFF",
    useCorrectedAddress: false,
    holdRules: [],
    routingRule: "ORDER",
    overReceiptTolerance: 10,
    underReceiptTolerance: 0,
    countTolerance: 2,
    countToleranceUnits: 1,
    countShortPicks: false,
    countZeroBalance: false,
    countAbc: false,
    workOrderAdjustments: true,
    purchaseOrderDays: 180,
    splitOrders: false,
    backorder: "WAIT",
    backorderDays: 30,
    rerouteHours: 0,
    rmaDays: 90,
    goodsReceiptVersion: "1.0",
    orderStatusVersion: "1.0",
    returnStatusVersion: "1.1",
    reasonForExport: "SALE",
    exporterEori: undefined,
    exporterVatNumber: undefined,
    iossNumber: undefined,
    availablePools: "*",
    stockPools: [],
    rateLimit: undefined,
    outboundEmailList: [],
    requestLogBodies: false,
    agentTools: [],
    feedRetentionDays: 90,
    personalDataDays: 400,
  });
});

test("every setting accepts a valid value and returns it unchanged", () => {
  const good: Record<string, readonly [string, unknown, string?]> = {
    rejectedFeedStatus: ["422", 422],
    parkUnknownSkus: ["on", true, "true"],
    identicalResend: ["replay", "REPLAY", "REPLAY"],
    feedDeadlineMinutes: ["60", 60],
    catMode: ["MERGE", "MERGE"],
    customsDestinations: ["us, eu", ["EU", "US"], "EU,US"],
    namelessAddress: ["hold", "HOLD", "HOLD"],
    doubtfulAddress: ["REFUSE", "REFUSE"],
    addressCheck: ["warn", "WARN", "WARN"],
    useCorrectedAddress: ["on", true, "true"],
    holdRules: ["goods:hazmat", [{ name: "goods", conditions: [{ kind: "hazmat" }] }], "goods: hazmat"],
    routingRule: ["cheapest", "CHEAPEST", "CHEAPEST"],
    overReceiptTolerance: ["2.5", 2.5],
    underReceiptTolerance: ["100", 100],
    countTolerance: ["0.5", 0.5],
    countToleranceUnits: ["10", 10],
    countShortPicks: ["yes", true, "true"],
    countZeroBalance: ["yes", true, "true"],
    countAbc: ["yes", true, "true"],
    workOrderAdjustments: ["no", false, "false"],
    purchaseOrderDays: ["60", 60],
    splitOrders: ["yes", true, "true"],
    backorder: ["SHIP_AND_CANCEL", "SHIP_AND_CANCEL"],
    backorderDays: ["7", 7],
    rerouteHours: ["4", 4],
    rmaDays: ["30", 30],
    goodsReceiptVersion: ["1.2", "1.2"],
    orderStatusVersion: ["1.1", "1.1"],
    returnStatusVersion: ["1.0", "1.0"],
    reasonForExport: ["gift", "GIFT", "GIFT"],
    exporterEori: ["gb 123456789000", "GB123456789000", "GB123456789000"],
    exporterVatNumber: ["CHE-123.456.789", "CHE123456789", "CHE123456789"],
    iossNumber: ["IM2760000742", "IM2760000742"],
    availablePools: ["RETAIL, WEB", ["RETAIL", "WEB"], "RETAIL,WEB"],
    stockPools: ["B2B", ["B2B"], "B2B"],
    rateLimit: ["50/s", { perSecond: 50 }],
    outboundEmailList: [
      "ops@example.com, it@example.com",
      ["ops@example.com", "it@example.com"],
      "ops@example.com,it@example.com",
    ],
    requestLogBodies: ["yes", true, "true"],
    agentTools: ["Release_Order, hold_order", ["hold_order", "release_order"], "hold_order,release_order"],
    feedRetentionDays: ["30", 30],
    personalDataDays: ["365", 365],
  };
  assert.deepEqual(Object.keys(good), settingNames);
  for (const name of settingNames) {
    const [text, value, written = text] = good[name] as [string, unknown, string?];
    assert.deepEqual(readSettings([`${name}=${text}`]), {
      ok: true,
      value: { overrides: { [name]: value }, cleared: [] },
    });
    assert.equal(settingText(name, value), written);
  }
});

test("every setting refuses a wrong value and states the expected one", () => {
  const bad: Record<string, string> = {
    rejectedFeedStatus: "404",
    parkUnknownSkus: "maybe",
    identicalResend: "IGNORE",
    feedDeadlineMinutes: "0",
    catMode: "UPSERT",
    customsDestinations: "EU, XX",
    namelessAddress: "IGNORE",
    doubtfulAddress: "IGNORE",
    addressCheck: "MAYBE",
    useCorrectedAddress: "perhaps",
    holdRules: "hazmat",
    routingRule: "FASTEST",
    overReceiptTolerance: "-1",
    underReceiptTolerance: "100.01",
    countTolerance: "101",
    countToleranceUnits: "1.5",
    countShortPicks: "maybe",
    countZeroBalance: "maybe",
    countAbc: "maybe",
    workOrderAdjustments: "maybe",
    purchaseOrderDays: "0",
    splitOrders: "maybe",
    backorder: "NEVER",
    backorderDays: "0.5",
    rerouteHours: "8761",
    rmaDays: "abc",
    goodsReceiptVersion: "1.1",
    orderStatusVersion: "2.0",
    returnStatusVersion: "2.0",
    reasonForExport: "SALES",
    exporterEori: "123456789000",
    exporterVatNumber: "DE",
    iossNumber: "IM123",
    availablePools: "RETAIL,,WEB",
    stockPools: "RETAIL,,WEB",
    rateLimit: "50",
    outboundEmailList: "ops@example.com\r\nBcc: x@example.com",
    requestLogBodies: "maybe",
    agentTools: "get_order",
    feedRetentionDays: "999999",
    personalDataDays: "0",
  };
  assert.deepEqual(Object.keys(bad), settingNames);
  for (const [name, text] of Object.entries(bad)) {
    const read = readSettings([`${name}=${text}`]);
    assert(!read.ok, name);
    assert.match(read.fault.join(), new RegExp(`^${name}=[\\s\\S]*: expected `));
  }
});

test("a blank value returns a setting to its default", () => {
  assert.deepEqual(readSettings(["catMode=", "rmaDays=5"]), {
    ok: true,
    value: { overrides: { rmaDays: 5 }, cleared: ["catMode"] },
  });
});

test("all wrong assignments are named at once, a misspelt one with the nearest name", () => {
  assert.deepEqual(readSettings(["catmode=MERGE", "rmaDays", "backorderDays=x", "catMode=MERGE", "catMode=REPLACE"]), {
    ok: false,
    fault: [
      "'catmode' is no setting of a client; did you mean catMode?",
      "rmaDays: expected rmaDays=VALUE, or rmaDays= for the default",
      "backorderDays=x: expected a whole number from 1 to 3650",
      "catMode is given twice",
    ],
  });
});

test("a setting of a newer release in the store does no harm", () => {
  assert.deepEqual(Object.keys(resolveSettings({ futureSetting: 1, catMode: "MERGE" })), settingNames);
  assert.equal(resolveSettings({ catMode: "MERGE" }).catMode, "MERGE");
});

test("only the mail addresses are kept out of the audit log", () => {
  assert.deepEqual(
    settingNames.filter((name) => clientSettings[name].isPersonal),
    ["outboundEmailList"],
  );
});

test("every setting has its words, and its values are those that its parser takes, the default first", () => {
  assert.deepEqual(Object.keys(settingWords).sort(), [...settingNames].sort());
  for (const name of settingNames) {
    const { standardText, parse } = clientSettings[name];
    const values = settingValues(settingWords[name]);
    for (const value of values ?? []) {
      const parsed = parse(value);
      assert.equal(parsed.ok && settingText(name, parsed.value), value, name);
    }
    if (settingWords[name].kind === "choice") assert.equal(values?.[0], standardText, name);
    if (settingWords[name].kind === "number") assert.ok(parse(standardText).ok, name);
  }
});
