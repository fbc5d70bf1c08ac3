-- Agents propose changes, which a person approves or rejects.
-- beside: 0012

-- citus: distributed
create table agent_proposal (
  client_id text not null,
  proposal_id uuid not null,
  tool text not null,
  object_type text not null,
  object_id text not null,
  method text not null,
  path text not null,
  body jsonb not null,
  reason text not null,
  agent text not null,
  credential_id text not null,
  dry_run jsonb not null,
  status text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  decided_by text,
  decided_at timestamptz,
  decision_reason text,
  result jsonb,
  primary key (client_id, proposal_id)
);
comment on table agent_proposal is 'A request that an agent proposes. Its id is the key under which it is sent once.';
comment on column agent_proposal.path is 'Path of the operation, without that of its service.';
comment on column agent_proposal.dry_run is 'What the operation would change: fields with their values before and after.';
comment on column agent_proposal.status is 'As it is stored: one that waits and whose expires_at has passed has expired.';
comment on column agent_proposal.result is 'The answer of the operation: its status, and the problem of a refusal.';
create index agent_proposal_time on agent_proposal (created_at, client_id, proposal_id);
create index agent_proposal_pending on agent_proposal (client_id, expires_at) where status = 'PENDING';
create index agent_proposal_object on agent_proposal (client_id, object_type, object_id);
