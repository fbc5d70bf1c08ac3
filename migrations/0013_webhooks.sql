-- Webhooks: who wants to be told what, what is to be sent, every try of it, and the mails when it fails.

-- citus: distributed
-- A subscription of a client, or the address that one type of its outbound feeds is pushed to.
create table webhook (
  client_id text not null,
  webhook_id uuid not null,
  kind text not null check (kind in ('WEBHOOK', 'OUTBOUND')),
  -- A topic, `*` or `order:*`; of OUTBOUND the type of the feed.
  topic_name text not null,
  -- A facility, or `*`.
  facility_code text not null,
  url text not null,
  content_type text not null,
  email_list text[] not null default '{}',
  -- Name and value of each header, encrypted.
  custom_headers_sealed text,
  status text not null check (status in ('ACTIVE', 'FAILING', 'PAUSED', 'DISABLED')),
  signing_secret_sealed text not null,
  previous_secret_sealed text,
  -- Until then the secret before signs as well.
  previous_secret_until timestamptz,
  -- Events up to here are none of its.
  from_position bigint not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  version integer not null default 1,
  primary key (client_id, webhook_id)
);

-- citus: distributed
-- One lane a subscription. Whoever sends for it holds the row by a lease with a fence: nobody sends for it beside another.
create table webhook_lane (
  client_id text not null,
  webhook_id uuid not null,
  -- When there is next something to do; null while nothing waits.
  due_at timestamptz,
  owner uuid,
  lease_until timestamptz,
  fence bigint not null default 0,
  -- BreakerState and IncidentState, as the pure functions have them.
  breaker jsonb not null default '{}',
  incident jsonb,
  -- When the incident is to be looked at again, whether anything is sent or not.
  incident_due_at timestamptz,
  primary key (client_id, webhook_id)
) with (fillfactor = 50);
create index webhook_lane_due on webhook_lane (due_at) where due_at is not null;
create index webhook_lane_incident on webhook_lane (incident_due_at) where incident_due_at is not null;

-- citus: distributed
-- Up to where the client's event log has been fanned out.
create table webhook_cursor (
  client_id text primary key,
  last_position bigint not null
);

-- citus: distributed
-- Counts what each subscription is sent of each object: `crossdock-sequence`. Whoever adds a delivery of an object, or ends
-- one, locks its row: so that the next one of the object is never left behind.
create table webhook_object (
  client_id text not null,
  webhook_id uuid not null,
  object_type text not null,
  object_id text not null,
  last_sequence bigint not null,
  primary key (client_id, webhook_id, object_type, object_id)
) with (fillfactor = 70);

-- citus: distributed
create table webhook_delivery (
  client_id text not null,
  delivery_id uuid not null,
  webhook_id uuid not null,
  -- The event, or of OUTBOUND the document (message id).
  event_id uuid not null,
  event_position bigint not null,
  topic_name text not null,
  object_type text not null,
  object_id text not null,
  -- Null of what was skipped.
  sequence bigint,
  status text not null check (status in ('PENDING', 'RETRYING', 'HELD', 'DELIVERED', 'FAILED', 'SKIPPED')),
  -- When it is to be tried; null where it has ended, or waits for an earlier one of its object.
  due_at timestamptz,
  -- Until then the later ones of its object wait for it; null before its first failed try.
  holds_until timestamptz,
  -- It goes on alone: the later ones of its object wait for it no longer.
  has_passed boolean not null default false,
  tries smallint not null default 0,
  refusals smallint not null default 0,
  -- The try under way: only its own end is believed.
  try_id uuid,
  last_error text,
  settled_at timestamptz,
  primary key (client_id, delivery_id)
) partition by range (delivery_id);
create index webhook_delivery_due on webhook_delivery (client_id, webhook_id, due_at) where due_at is not null;
-- The open ones, in the order of their object.
create index webhook_delivery_object on webhook_delivery (client_id, webhook_id, object_type, object_id, event_position)
  where settled_at is null;
-- Those that have failed and still hold others back.
create index webhook_delivery_holds on webhook_delivery (client_id, webhook_id, holds_until)
  where settled_at is null and not has_passed and holds_until is not null;
create index webhook_delivery_list on webhook_delivery (client_id, webhook_id, delivery_id) where tries >= 0;

-- citus: distributed
-- Written before the request is sent: what a dead worker left behind is found by it.
create table webhook_try (
  client_id text not null,
  try_id uuid not null,
  delivery_id uuid not null,
  webhook_id uuid not null,
  state text not null check (state in ('STARTED', 'ENDED', 'UNKNOWN')),
  -- Of an open breaker: none of the delivery's counted tries.
  is_probe boolean not null default false,
  started_at timestamptz not null,
  ended_at timestamptz,
  address text,
  -- {lookup, connect, tls, send, wait, receive}: milliseconds
  phases jsonb,
  status smallint,
  headers jsonb,
  -- The first 8 KiB of the answer.
  body bytea,
  error_class text,
  primary key (client_id, try_id)
) partition by range (try_id);
create index webhook_try_delivery on webhook_try (client_id, delivery_id, try_id) where state > '';
create index webhook_try_started on webhook_try (client_id, webhook_id) where state = 'STARTED';

-- citus: distributed
create table alert_mail (
  client_id text not null,
  mail_id uuid not null,
  address text not null,
  subject text not null,
  body_text text not null,
  body_html text not null,
  -- What it tells, by `webhookId incident kind`: of each no mail to the address tells twice.
  notes jsonb not null,
  -- KEPT: there is no mail server; it is shown in the console.
  status text not null check (status in ('PENDING', 'SENT', 'KEPT', 'FAILED')),
  -- When it was to go out first. What there is to tell within ten minutes of it waits for the next mail to the address.
  planned_at timestamptz not null,
  -- When it is sent next; while it is being sent, when whoever sends it is given up. Once tried it takes no more notes.
  due_at timestamptz not null,
  tries smallint not null default 0,
  last_error text,
  created_at timestamptz not null,
  sent_at timestamptz,
  primary key (client_id, mail_id)
);
create index alert_mail_due on alert_mail (due_at) where status = 'PENDING';
create index alert_mail_address on alert_mail (client_id, address, planned_at) where tries >= 0;
