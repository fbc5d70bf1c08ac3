-- no-transaction
-- Rules of operators: who is notified of which conditions, and what was reported.
-- beside: 0008

-- citus: local
create table if not exists notification_rule (
  rule_id uuid primary key,
  name text not null,
  channel text not null check (channel in ('MAIL', 'WEBHOOK', 'SLACK')),
  is_active boolean not null,
  settings jsonb not null,
  target_sealed text,
  updated_by text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  version integer not null
);
comment on table notification_rule is 'Who is notified of which conditions, and when.';
comment on column notification_rule.settings is 'RuleSettings: what it selects, when it reports, and the mail addresses.';
comment on column notification_rule.target_sealed is 'URL and signing secret of a webhook, encrypted. Null: mail.';

-- citus: local
create table if not exists notification_condition (
  rule_id uuid not null,
  condition_key text not null,
  kind text not null,
  client_id text not null,
  facility_code text,
  since timestamptz not null,
  seen_at timestamptz not null,
  reported_at timestamptz,
  ended_at timestamptz,
  primary key (rule_id, condition_key)
);
comment on table notification_condition is 'A condition that a rule selects, as long as it lasts and for an hour after.';
comment on column notification_condition.condition_key is 'Hash of its cause.';
comment on column notification_condition.seen_at is 'When the rule found it.';
comment on column notification_condition.reported_at is 'When a message last contained it. Null: it waits for the next one.';
comment on column notification_condition.ended_at is 'If it comes back within an hour, it is the same condition.';

-- citus: local
create table if not exists notification_message (
  message_id uuid primary key,
  rule_id uuid not null,
  rule_name text not null,
  channel text not null,
  recipient text not null,
  content jsonb not null,
  status text not null check (status in ('PENDING', 'SENT', 'KEPT', 'FAILED')),
  due_at timestamptz not null,
  attempts smallint not null default 0,
  answer text,
  created_at timestamptz not null,
  ended_at timestamptz
);
comment on table notification_message is 'A message of a rule to one recipient. Its id is the same in all attempts.';
comment on column notification_message.recipient is 'A mail address, or the host of the webhook.';
comment on column notification_message.content is 'MessageContent: its title and its conditions.';
comment on column notification_message.status is 'KEPT: there is no mail server; the console shows it.';
comment on column notification_message.answer is 'What the recipient''s server answered last.';
create index if not exists notification_message_due on notification_message (due_at) where status = 'PENDING';
create index if not exists notification_message_rule on notification_message (rule_id, message_id);

-- SKUs whose stock is low, for the rules. A client without thresholds has none.
create index concurrently if not exists stock_change_low on stock_change (client_id, facility_code, sku) where is_low;
