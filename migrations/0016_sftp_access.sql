-- Who may come in by SFTP: the keys by which clients know the server, wrong log-ins, and the sessions that are open.

-- citus: local
-- The same on all nodes; made by the first that looks. Private keys are encrypted under the master key.
create table sftp_host_key (
  algorithm text primary key,
  public_key text not null,
  private_key_sealed text not null,
  created_at timestamptz not null
);

-- citus: local
-- Wrong log-ins in a row from an address; no row where the last one was right.
create table sftp_address (
  address text primary key,
  wrong_log_ins integer not null check (wrong_log_ins > 0),
  last_wrong_at timestamptz not null,
  locked_until timestamptz
);
create index sftp_address_last_wrong on sftp_address (last_wrong_at);

-- citus: local
-- Each client has so many slots over all nodes; who holds one renews its lease, and whoever is gone loses it by that.
create table sftp_session (
  client_id text not null,
  slot smallint not null,
  session_id uuid not null,
  node_id uuid not null,
  credential_id text not null,
  started_at timestamptz not null,
  lease_until timestamptz not null,
  primary key (client_id, slot)
) with (fillfactor = 50);
create index sftp_session_node on sftp_session (node_id);
create index sftp_session_lease on sftp_session (lease_until);
