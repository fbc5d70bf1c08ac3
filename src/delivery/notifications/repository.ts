import type { mailStatuses } from "#/delivery/mail/repository.ts";
import type { MessageContent } from "#/delivery/notifications/message.ts";
import type { Condition, KnownCondition, RoundPlan } from "#/delivery/notifications/plan.ts";
import type { Channel } from "#/delivery/notifications/rule.ts";
import type { Transaction, Tx } from "#/store/db/database.ts";
import { sql } from "#/store/db/sql.ts";

/** More conditions of one rule are not known: a rule that selects so much is of no use. */
export const conditionsMax = 20_000;

export function listKnown(tx: Tx, ruleId: string): Promise<KnownCondition[]> {
  return tx.query(sql`select condition_key as key, kind, since, seen_at as "seenAt", reported_at as "reportedAt", ended_at as "endedAt"
    from notification_condition where rule_id = ${ruleId}::uuid order by condition_key limit ${conditionsMax}`);
}

/** Stores what a round found out. @param at ISO 8601 */
export function storeRound(tx: Transaction, ruleId: string, at: string, plan: RoundPlan): void {
  if (plan.found.length > 0) {
    const rows = plan.found.map((condition: Condition) => ({
      condition_key: condition.key,
      kind: condition.kind,
      client_id: condition.clientId,
      facility_code: condition.facilityCode,
      since: condition.since ?? at,
    }));
    tx.send(sql`insert into notification_condition (rule_id, condition_key, kind, client_id, facility_code, since, seen_at)
      select ${ruleId}::uuid, x.condition_key, x.kind, x.client_id, x.facility_code, x.since, ${at}::timestamptz
      from json_to_recordset(${JSON.stringify(rows)}::json)
        as x(condition_key text, kind text, client_id text, facility_code text, since timestamptz)`);
  }
  const { back, ended, forgotten, report } = plan;
  if (back.length > 0) {
    tx.send(sql`update notification_condition set ended_at = null
      where rule_id = ${ruleId}::uuid and condition_key = any(${back}::text[])`);
  }
  if (ended.length > 0) {
    tx.send(sql`update notification_condition set ended_at = ${at}::timestamptz
      where rule_id = ${ruleId}::uuid and condition_key = any(${ended}::text[])`);
  }
  if (forgotten.length > 0) {
    tx.send(sql`delete from notification_condition
      where rule_id = ${ruleId}::uuid and condition_key = any(${forgotten}::text[])`);
  }
  if (report.length > 0) {
    tx.send(sql`update notification_condition set reported_at = ${at}::timestamptz
      where rule_id = ${ruleId}::uuid and condition_key = any(${report.map(({ key }) => key)}::text[])`);
  }
}

/** When the rule's last message was written that is not a test. */
export async function lastMessageAt(tx: Tx, ruleId: string): Promise<string | undefined> {
  const rows = await tx.query<{ at: string }>(
    sql`select created_at as at from notification_message
      where rule_id = ${ruleId}::uuid and jsonb_array_length(content -> 'items') > 0 order by message_id desc limit 1`,
  );
  return rows[0]?.at;
}

export interface NewMessage {
  readonly messageId: string;
  readonly ruleId: string;
  readonly ruleName: string;
  readonly channel: Channel;
  readonly recipient: string;
  readonly content: MessageContent;
}

export function insertMessages(tx: Transaction, at: string, messages: readonly NewMessage[]): void {
  tx.send(sql`insert into notification_message (message_id, rule_id, rule_name, channel, recipient, content, status, due_at,
      created_at)
    select x."messageId", x."ruleId", x."ruleName", x.channel, x.recipient, x.content, 'PENDING', ${at}::timestamptz,
      ${at}::timestamptz
    from json_to_recordset(${JSON.stringify(messages)}::json)
      as x("messageId" uuid, "ruleId" uuid, "ruleName" text, channel text, recipient text, content jsonb)`);
}

export interface ClaimedMessage {
  readonly messageId: string;
  readonly channel: Channel;
  readonly recipient: string;
  readonly content: MessageContent;
  readonly createdAt: string;
  /** Includes this attempt: a later owner of the message has another number. */
  readonly attempts: number;
}

export async function listRulesWithDue(tx: Tx, at: string, limit: number): Promise<string[]> {
  const rows = await tx.query<{ rule_id: string }>(
    sql`select distinct d.rule_id from (
        select m.rule_id from notification_message m
        where m.status = 'PENDING' and m.due_at <= ${at}::timestamptz order by m.due_at limit ${limit}) d`,
  );
  return rows.map(({ rule_id }) => rule_id);
}

/** Claims due messages of a rule until `leaseUntil`. */
export function claimDue(tx: Tx, ruleId: string, at: string, leaseUntil: string, limit: number) {
  return tx.query<ClaimedMessage>(sql`update notification_message m
    set attempts = m.attempts + 1, due_at = ${leaseUntil}::timestamptz
    where m.message_id = any(array(
      select d.message_id from notification_message d
      where d.status = 'PENDING' and d.due_at <= ${at}::timestamptz and d.rule_id = ${ruleId}::uuid
      order by d.due_at limit ${limit} for update skip locked))
    returning m.message_id as "messageId", m.channel, m.recipient, m.content, m.created_at as "createdAt", m.attempts`);
}

/** As of alert mails. */
export type MessageStatus = (typeof mailStatuses)[number];

/** Stores the result of an attempt, unless a later attempt owns the message. @param at the next attempt, or the end */
export async function settle(
  tx: Tx,
  { messageId, attempts }: ClaimedMessage,
  { status, at, answer }: { readonly status: MessageStatus; readonly at: string; readonly answer: string },
): Promise<void> {
  await tx.query(sql`update notification_message m set status = ${status}, due_at = ${at}::timestamptz, answer = ${answer},
      ended_at = case when ${status} <> 'PENDING' then ${at}::timestamptz end
    where m.message_id = ${messageId}::uuid and m.status = 'PENDING' and m.attempts = ${attempts}`);
}

export interface StoredMessage extends Omit<ClaimedMessage, "attempts"> {
  readonly ruleName: string;
  readonly status: MessageStatus;
  readonly tries: number;
  readonly answer: string | null;
  readonly endedAt: string | null;
  readonly dueAt: string;
}

/** The newest first, those before an id. */
export function listMessages(tx: Tx, before: string, limit: number): Promise<StoredMessage[]> {
  return tx.query(sql`select message_id as "messageId", rule_name as "ruleName", channel, recipient, content, status,
      attempts as tries, answer, created_at as "createdAt", ended_at as "endedAt", due_at as "dueAt"
    from notification_message where message_id < ${before}::uuid order by message_id desc limit ${limit}`);
}

/** Deletes messages with an id before this one. */
export async function purgeMessages(tx: Tx, before: string, limit: number): Promise<number> {
  const rows = await tx.query(sql`delete from notification_message m where m.message_id = any(array(
      select o.message_id from notification_message o where o.message_id < ${before}::uuid order by o.message_id limit ${limit}))
    returning m.message_id`);
  return rows.length;
}
