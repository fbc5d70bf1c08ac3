import { newSigningSecret } from "#/delivery/webhooks/subscriptions/secrets.ts";
import type { SecretBox } from "#/kernel/security/secret-box.ts";
import type { Transaction, Tx } from "#/store/db/database.ts";
import type { SealedTable } from "#/store/db/schema/sealed-table.ts";
import { sql } from "#/store/db/sql.ts";

/** MAIL to addresses; WEBHOOK with the signature of the brands' webhooks; SLACK: any receiver of `{"text": …}`. */
export const channels = ["MAIL", "WEBHOOK", "SLACK"] as const;
export type Channel = (typeof channels)[number];
export const schedules = ["AT_ONCE", "HOURLY", "DAILY"] as const;
export const severities = ["ANY", "SEVERE"] as const;

export interface RuleSettings {
  /** Of MAIL, otherwise none. */
  readonly addresses: readonly string[];
  /** The part of the URL that may be shown; null for MAIL. */
  readonly shownUrl: string | null;
  /** Empty lists: all. */
  readonly clientIds: readonly string[];
  readonly facilityCodes: readonly string[];
  readonly kinds: readonly string[];
  readonly severity: (typeof severities)[number];
  readonly schedule: (typeof schedules)[number];
  /** `HH:MM` by the clock of the time zone, of DAILY. */
  readonly dailyAt: string | null;
  /** No message is written from `quietFrom` until `quietUntil`; both or none. */
  readonly quietFrom: string | null;
  readonly quietUntil: string | null;
  /** IANA. */
  readonly timeZone: string;
  /** A condition that lasts is reported again after so many hours; null: once. */
  readonly remindHours: number | null;
}

/** Of a rule that says nothing else. */
export const newSettings: RuleSettings = {
  addresses: [],
  shownUrl: null,
  clientIds: [],
  facilityCodes: [],
  kinds: [],
  severity: "ANY",
  schedule: "AT_ONCE",
  dailyAt: null,
  quietFrom: null,
  quietUntil: null,
  timeZone: "UTC",
  remindHours: 24,
};

export interface Rule {
  readonly ruleId: string;
  readonly name: string;
  readonly channel: Channel;
  readonly isActive: boolean;
  readonly settings: RuleSettings;
  readonly targetSealed: string | null;
  readonly updatedBy: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly version: number;
}

/** Enough for a team for each client of a large platform, and few enough to evaluate each minute. */
export const rulesMax = 50;

const columns = sql`rule_id as "ruleId", name, channel, is_active as "isActive", settings, target_sealed as "targetSealed",
  updated_by as "updatedBy", created_at as "createdAt", updated_at as "updatedAt", version`;

export function listRules(tx: Tx): Promise<Rule[]> {
  return tx.query(sql`select ${columns} from notification_rule order by rule_id limit ${rulesMax}`);
}

/** Locks the rule until the end of a transaction: it is changed by one writer at a time. */
export async function findRule(tx: Tx, ruleId: string): Promise<Rule | undefined> {
  const rows = await tx.query<Rule>(
    sql`select ${columns} from notification_rule where rule_id = ${ruleId}::uuid limit 1 for update`,
  );
  return rows[0];
}

/** Stores a rule with a version above that of the stored one. */
export function saveRule(tx: Transaction, rule: Rule): void {
  tx.send(
    sql`insert into notification_rule (rule_id, name, channel, is_active, settings, target_sealed, updated_by, created_at,
        updated_at, version)
      values (${rule.ruleId}::uuid, ${rule.name}, ${rule.channel}, ${rule.isActive}, ${JSON.stringify(rule.settings)}::jsonb,
        ${rule.targetSealed}, ${rule.updatedBy}, ${rule.createdAt}::timestamptz, ${rule.updatedAt}::timestamptz,
        ${rule.version})
      on conflict (rule_id) do update set name = excluded.name, is_active = excluded.is_active,
        settings = excluded.settings, target_sealed = excluded.target_sealed, updated_by = excluded.updated_by,
        updated_at = excluded.updated_at, version = excluded.version
      returning rule_id`,
  );
}

/** Deletes the rule and what it has reported. Its messages are kept; those that wait are not sent any more. */
export function deleteRule(tx: Transaction, ruleId: string, at: string): void {
  tx.send(sql`delete from notification_rule where rule_id = ${ruleId}::uuid`);
  tx.send(sql`delete from notification_condition where rule_id = ${ruleId}::uuid`);
  tx.send(
    sql`update notification_message set status = 'FAILED', answer = 'the rule was deleted', ended_at = ${at}::timestamptz
      where rule_id = ${ruleId}::uuid and status = 'PENDING'`,
  );
}

/** The URL is sealed as well: that of an incoming webhook contains its secret. */
export interface Target {
  readonly url: string;
  /** `whsec_…`; null for SLACK. */
  readonly secret: string | null;
}

const contextOf = (ruleId: string) => `notification_rule ${ruleId}`;

export const sealTarget = (box: SecretBox, ruleId: string, target: Target): string =>
  box.seal(JSON.stringify(target), contextOf(ruleId));

/** Undefined where the master key does not open it, and for MAIL. */
export function openTarget(box: SecretBox, rule: Pick<Rule, "ruleId" | "targetSealed">): Target | undefined {
  const text = rule.targetSealed === null ? undefined : box.open(rule.targetSealed, contextOf(rule.ruleId));
  return text === undefined ? undefined : (JSON.parse(text) as Target);
}

export const makeSecret = (channel: Channel): string | null => (channel === "WEBHOOK" ? newSigningSecret() : null);

/** The targets of rules. */
export const sealedRules: SealedTable = {
  table: "notification_rule",
  columns: ["target_sealed"],
  isOfClients: false,
  async list(tx, after, limit) {
    const rows = await tx.plain.query<{ key: string; sealed: string }>(
      sql`select rule_id::text as key, target_sealed as sealed from notification_rule
        where rule_id > ${after === "" ? "00000000-0000-0000-0000-000000000000" : after}::uuid and target_sealed is not null
        order by rule_id limit ${limit}`,
    );
    return rows.map(({ key, sealed }) => ({
      key,
      texts: [{ column: "target_sealed", sealed, context: contextOf(key) }],
    }));
  },
  async replace(tx, _column, texts) {
    const records = JSON.stringify(texts.map(({ key, before, after }) => ({ key, before, after })));
    const rows = await tx.plain.query(
      sql`update notification_rule r set target_sealed = x.after
        from json_to_recordset(${records}::json) as x(key uuid, before text, after text)
        where r.rule_id = x.key and r.target_sealed = x.before returning r.rule_id`,
    );
    return rows.length;
  },
};
