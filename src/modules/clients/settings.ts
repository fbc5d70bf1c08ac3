/**
 * Every setting of a client: its parser, its default and its meaning. The store, the command line and docs/commands.md
 * all read this one table. @see contract/operations.md §2.
 */
import {
  addressChecks,
  addressHandlings,
  backorderPolicies,
  type FeedSettings,
  routingRules,
} from "#/intake/feeds/intake/definition.ts";
import { readAssignments } from "#/kernel/config/assignments.ts";
import {
  integerBetween,
  type Parser,
  parseBoolean,
  parseMailAddress,
  parseRateLimit,
} from "#/kernel/config/parsers.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";
import {
  parseEori,
  parseIossNumber,
  parseReasonForExport,
  parseVatNumber,
  type ReasonForExport,
} from "#/kernel/values/customs-numbers.ts";
import { type CustomsDestination, customsDestinations } from "#/kernel/values/customs-rules.ts";
import { type HoldRule, holdRulesText, parseHoldRules } from "#/kernel/values/hold-rules.ts";
import { type AgentToolName, agentToolNames } from "#/modules/clients/agent-tools.ts";

/** The settings of a client, each resolved to its value. */
export interface ClientSettings extends FeedSettings {
  /** Per cent of the ordered quantity. */
  readonly overReceiptTolerance: number;
  /** Per cent of the ordered quantity. */
  readonly underReceiptTolerance: number;
  /** Per cent of the expected quantity. */
  readonly countTolerance: number;
  /** Stock units. */
  readonly countToleranceUnits: number;
  readonly useCorrectedAddress: boolean;
  readonly countShortPicks: boolean;
  readonly countZeroBalance: boolean;
  readonly countAbc: boolean;
  readonly workOrderAdjustments: boolean;
  readonly purchaseOrderDays: number;
  readonly backorderDays: number;
  /** 0: orders stay at the facility that they were routed to. */
  readonly rerouteHours: number;
  readonly rmaDays: number;
  /** The version of the XSD that its GR documents are written for. */
  readonly goodsReceiptVersion: "1.0" | "1.2";
  /** The version of the XSD that its OS documents are written for. */
  readonly orderStatusVersion: "1.0" | "1.1" | "1.2";
  /** The version of the XSD that its RS documents are written for. */
  readonly returnStatusVersion: "1.0" | "1.1";
  readonly reasonForExport: ReasonForExport;
  readonly exporterEori: string | undefined;
  readonly exporterVatNumber: string | undefined;
  readonly iossNumber: string | undefined;
  /** `undefined`: the deployment's. */
  readonly rateLimit: { readonly perSecond: number } | "off" | undefined;
  readonly outboundEmailList: readonly string[];
  readonly requestLogBodies: boolean;
  /** The tools with which agents change something at once, without a person's approval. */
  readonly agentTools: readonly AgentToolName[];
  readonly feedRetentionDays: number;
  readonly personalDataDays: number;
}

export type SettingName = keyof ClientSettings;

export interface Setting<Value> {
  readonly standard: Value;
  /** The default as text, for the reference. */
  readonly standardText: string;
  /** Never called with a blank text, which resets the setting to its default. */
  readonly parse: Parser<Value>;
  readonly meaning: string;
  /** The value contains personal data: the audit log records only that it changed. */
  readonly isPersonal: boolean;
}

/**
 * The settings of the 3PL: they protect others, or a control of the house. An admin who is limited to clients changes only
 * those of the brand.
 */
export const operatorSettings: ReadonlySet<string> = new Set<SettingName>([
  "rateLimit",
  "countTolerance",
  "countToleranceUnits",
  "feedRetentionDays",
  "personalDataDays",
]);

function setting<Value>(
  standard: Value,
  standardText: string,
  parse: Parser<NoInfer<Value>>,
  meaning: string,
  isPersonal = false,
): Setting<Value> {
  return { standard, standardText, parse, meaning, isPersonal };
}

/** One of some words, case-insensitive. */
function word<const Word extends string>(...words: readonly Word[]): Parser<Word> {
  return (text) => {
    const found = words.find((candidate) => candidate === text.trim().toUpperCase());
    return found === undefined ? refused(`expected ${words.join(", ")}`) : ok(found);
  };
}

const parseDestinations: Parser<readonly CustomsDestination[]> = (text) => {
  const names = text.split(",").map((name) => name.trim().toUpperCase());
  const known = customsDestinations.filter((name) => names.includes(name));
  return known.length === new Set(names).size
    ? ok(known)
    : refused(`expected ${customsDestinations.join(", ")}, separated by commas`);
};

const parseStatus: Parser<200 | 422> = (text) => {
  const status = Number(text.trim());
  return status === 200 || status === 422 ? ok(status) : refused("expected 200 or 422");
};

const parsePercentage: Parser<number> = (text) => {
  const value = /^\d{1,4}(\.\d{1,2})?$/.test(text.trim()) ? Number(text) : Number.NaN;
  return value <= 1000 ? ok(value) : refused("expected a percentage from 0 to 1000, at most two decimals");
};

const parsePart: Parser<number> = (text) => {
  const parsed = parsePercentage(text);
  return parsed.ok && parsed.value <= 100
    ? parsed
    : refused("expected a percentage from 0 to 100, at most two decimals");
};

const parsePools: Parser<"*" | readonly string[]> = (text) => {
  if (text.trim() === "*") return ok("*");
  const pools = text.split(",").map((pool) => pool.trim());
  const isGood = pools.every((pool) => pool !== "" && pool !== "*" && pool.length <= 64);
  return isGood ? ok([...new Set(pools)]) : refused("expected *, or names of stock pools separated by commas");
};

const mailAddressesMax = 50;

const parseMailList: Parser<readonly string[]> = (text) => {
  const addresses: string[] = [];
  for (const part of text.split(",")) {
    const parsed = parseMailAddress(part);
    if (!parsed.ok || parsed.value.name !== undefined || part.includes("<")) {
      return refused("expected mail addresses separated by commas");
    }
    addresses.push(parsed.value.address);
  }
  return addresses.length <= mailAddressesMax
    ? ok(addresses)
    : refused(`expected at most ${mailAddressesMax} addresses`);
};

const parseAgentTools: Parser<readonly AgentToolName[]> = (text) => {
  const names = text.split(",").map((name) => name.trim().toLowerCase());
  const known = agentToolNames.filter((name) => names.includes(name));
  return known.length === new Set(names).size
    ? ok(known)
    : refused(`expected ${agentToolNames.join(", ")}, separated by commas`);
};

const days = integerBetween(1, 3650);

type SettingTable = { readonly [Name in SettingName]: Setting<ClientSettings[Name]> };

export const clientSettings: SettingTable = {
  rejectedFeedStatus: setting<200 | 422>(200, "200", parseStatus, "HTTP status of the answer to a rejected document"),
  parkUnknownSkus: setting<boolean>(
    false,
    "false",
    parseBoolean,
    "a document rejected only for unknown SKUs is stored, and processed when a CAT contains them",
  ),
  identicalResend: setting<"REJECT" | "REPLAY">(
    "REJECT",
    "REJECT",
    word("REJECT", "REPLAY"),
    "answer to a NO or PO NEW that comes again within 7 days, byte for byte the same",
  ),
  feedDeadlineMinutes: setting<number>(
    15,
    "15",
    integerBetween(1, 10_080),
    "minutes until an accepted document without an outcome raises feed:overdue",
  ),
  catMode: setting<"REPLACE" | "MERGE">(
    "REPLACE",
    "REPLACE",
    word("REPLACE", "MERGE"),
    "effect of a CAT on fields whose elements it leaves out",
  ),
  customsDestinations: setting<ClientSettings["customsDestinations"]>(
    [],
    "none",
    parseDestinations,
    "destinations for which a CAT warns of missing customs data: EU, GB, US, CH_NO and OTHER, separated by commas",
  ),
  namelessAddress: setting<ClientSettings["namelessAddress"]>(
    "REFUSE",
    "REFUSE",
    word(...addressHandlings),
    "an order whose shipToAddress has no name and no company",
  ),
  doubtfulAddress: setting<ClientSettings["doubtfulAddress"]>(
    "WARN",
    "WARN",
    word(...addressHandlings),
    "an address whose state, e-mail or telephone number is missing or impossible",
  ),
  addressCheck: setting<ClientSettings["addressCheck"]>(
    "OFF",
    "OFF",
    word(...addressChecks),
    "whether a verifier checks the shipToAddress of each order, and what follows from its answer",
  ),
  useCorrectedAddress: setting<boolean>(
    false,
    "false",
    parseBoolean,
    "whether labels and papers show the address as the verifier corrected it",
  ),
  holdRules: setting<ClientSettings["holdRules"]>(
    [],
    "none",
    parseHoldRules,
    "rules that hold an order when it is accepted, such as large: value > 500 EUR; abroad: country in US, CA and value > 100 EUR; goods: hazmat; new: first order; words: attribute GiftMessage matches /pattern/i; customs: incomplete",
  ),
  routingRule: setting<ClientSettings["routingRule"]>(
    "ORDER",
    "ORDER",
    word(...routingRules),
    "the facility of an order that names none, of those that can fill all its lines",
  ),
  overReceiptTolerance: setting<number>(
    10,
    "10",
    parsePercentage,
    "per cent by which a receipt may exceed the quantity ordered",
  ),
  underReceiptTolerance: setting<number>(
    0,
    "0",
    parsePart,
    "per cent of each line's quantity that may be missing when a purchase order closes by itself, 7 days after its last change",
  ),
  countTolerance: setting<number>(
    2,
    "2",
    parsePart,
    "per cent of the expected quantity up to which the difference of a requested count, or of an operator's adjustment, is booked without approval",
  ),
  countToleranceUnits: setting<number>(
    1,
    "1",
    integerBetween(0, 1_000_000),
    "units up to which the difference of a requested count, or of an operator's adjustment, is booked without approval, whatever the percentage",
  ),
  countShortPicks: setting<boolean>(
    false,
    "false",
    parseBoolean,
    "whether a short pick asks the warehouse for a count of its lot",
  ),
  countZeroBalance: setting<boolean>(
    false,
    "false",
    parseBoolean,
    "whether the last unit of a SKU that leaves a facility asks the warehouse for a count of its lot",
  ),
  countAbc: setting<boolean>(
    false,
    "false",
    parseBoolean,
    "whether the warehouse counts each SKU in stock regularly: every 30, 90 or 365 days, by its share of the picks of 90 days",
  ),
  workOrderAdjustments: setting<boolean>(
    true,
    "true",
    parseBoolean,
    "whether what a work order consumes and makes is sent as ADJ, with the reasons CONSUMPTION and PRODUCTION",
  ),
  purchaseOrderDays: setting<number>(
    180,
    "180",
    days,
    "days without a change after which a purchase order that still expects goods is closed short",
  ),
  splitOrders: setting<boolean>(
    false,
    "false",
    parseBoolean,
    "whether up to three facilities may share an order that none of them can fill",
  ),
  backorder: setting<ClientSettings["backorder"]>(
    "WAIT",
    "WAIT",
    word(...backorderPolicies),
    "what happens to an order that stock fills in part",
  ),
  backorderDays: setting<number>(30, "30", days, "days after which the back-ordered rest is cancelled"),
  rerouteHours: setting<number>(
    0,
    "0",
    integerBetween(0, 8_760),
    "hours without stock after which an order that named no facility moves to another one that can fill all its lines; 0: never",
  ),
  rmaDays: setting<number>(
    90,
    "90",
    days,
    "days after which an unused return authorisation expires, and days without a change after which a return in receipt is closed short",
  ),
  goodsReceiptVersion: setting<ClientSettings["goodsReceiptVersion"]>(
    "1.0",
    "1.0",
    word("1.0", "1.2"),
    "version of the XSD of the GR documents that are sent",
  ),
  orderStatusVersion: setting<ClientSettings["orderStatusVersion"]>(
    "1.0",
    "1.0",
    word("1.0", "1.1", "1.2"),
    "version of the XSD of the OS documents that are sent",
  ),
  returnStatusVersion: setting<ClientSettings["returnStatusVersion"]>(
    "1.1",
    "1.1",
    word("1.0", "1.1"),
    "version of the XSD of the RS documents that are sent",
  ),
  reasonForExport: setting<ReasonForExport>(
    "SALE",
    "SALE",
    parseReasonForExport,
    "reason on the commercial invoice of an order without the attribute ReasonForExport",
  ),
  exporterEori: setting<string | undefined>(
    undefined,
    "none",
    parseEori,
    "EORI number of the exporter on the commercial invoice, such as GB123456789000",
  ),
  exporterVatNumber: setting<string | undefined>(
    undefined,
    "none",
    parseVatNumber,
    "VAT number of the exporter on the commercial invoice, with its country code, such as GB123456789",
  ),
  iossNumber: setting<string | undefined>(
    undefined,
    "none",
    parseIossNumber,
    "IOSS number on the commercial invoice to the European Union, such as IM2760000742",
  ),
  availablePools: setting<ClientSettings["availablePools"]>(
    "*",
    "*",
    parsePools,
    "stock pools that `available` counts: all (*), or names separated by commas",
  ),
  stockPools: setting<ClientSettings["stockPools"]>(
    [],
    "DEFAULT",
    parsePools,
    "stock pools that orders and reports may name in addition to DEFAULT and those of availablePools: names separated by commas, or any (*)",
  ),
  rateLimit: setting<ClientSettings["rateLimit"]>(
    undefined,
    "the deployment's",
    parseRateLimit,
    "requests per second of each credential, such as 50/s, or off",
  ),
  outboundEmailList: setting<readonly string[]>(
    [],
    "empty",
    parseMailList,
    "mail addresses that are notified of failing outbound feeds, separated by commas",
    true,
  ),
  requestLogBodies: setting<boolean>(
    false,
    "false",
    parseBoolean,
    "whether the request log stores the bodies of failed REST requests, which may contain names and addresses",
  ),
  agentTools: setting<readonly AgentToolName[]>(
    [],
    "none",
    parseAgentTools,
    "tools with which an agent changes something at once, without a proposal that a person approves: names separated by commas",
  ),
  feedRetentionDays: setting<number>(90, "90", days, "days for which raw feeds are kept"),
  personalDataDays: setting<number>(
    400,
    "400",
    integerBetween(1, 36_500),
    "days after an order's end when its names, addresses and payloads are erased",
  ),
};

export const settingNames = Object.keys(clientSettings) as readonly SettingName[];

/** The stored settings: those that differ from their defaults, and unknown ones of a newer release. */
export type StoredSettings = Readonly<Record<string, unknown>>;

export function resolveSettings(stored: StoredSettings): ClientSettings {
  const values = settingNames.map((name) => [
    name,
    Object.hasOwn(stored, name) ? stored[name] : clientSettings[name].standard,
  ]);
  return Object.fromEntries(values) as ClientSettings;
}

export interface SettingChanges {
  readonly overrides: Readonly<Partial<ClientSettings>>;
  /** Settings that return to their defaults. */
  readonly cleared: readonly SettingName[];
}

/**
 * Reads `KEY=VALUE` texts; a blank value resets the setting to its default.
 * @returns the changes, or a sentence for every invalid text.
 */
export function readSettings(assignments: readonly string[]): Result<SettingChanges, readonly string[]> {
  const read = readAssignments(clientSettings, "a client", assignments);
  if (!read.ok) return read;
  const { values, cleared } = read.value;
  return ok({ overrides: Object.fromEntries(values) as Partial<ClientSettings>, cleared });
}

/** A value in the format of `client set`. */
export function settingText(name: SettingName, value: unknown): string {
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return clientSettings[name].standardText;
  if (name === "holdRules") return holdRulesText(value as readonly HoldRule[]);
  if (Array.isArray(value)) return value.join(",");
  return typeof value === "object" && value !== null && "perSecond" in value ? `${value.perSecond}/s` : String(value);
}
