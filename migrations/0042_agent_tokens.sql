-- Tokens by which an agent acts for a user of the console: sessions that are limited to a client, for /mcp only.
-- beside: 0012
alter table console_session add column agent_name text;
alter table console_session add column agent_client_id text;
alter table console_session add column agent_proposes boolean;
comment on column console_session.agent_name is
  'Of a token for an agent: the name that its user gave it. Null: the session of a browser.';
comment on column console_session.agent_client_id is 'The client whose data the agent reads.';
comment on column console_session.agent_proposes is 'Whether the agent may also propose changes.';

alter table agent_proposal add column proposed_by text;
comment on column agent_proposal.proposed_by is
  'The user for whom the agent proposed it, as the audit log has it. Null: the agent had a token of the client.';
