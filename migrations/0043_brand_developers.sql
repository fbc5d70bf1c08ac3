-- The role of a brand's developer, and invitations of developers by mail.
-- beside: 0012

-- harmless: older nodes write only the roles of the check, and open no operation to a role that they do not know
alter table console_user drop constraint console_user_role_check;

-- citus: local
create table console_invitation (
  invitation_id uuid primary key,
  client_id text not null,
  address text not null,
  token_sha256 bytea not null,
  invited_by text not null,
  invited_at timestamptz not null,
  expires_at timestamptz not null,
  mailed_at timestamptz,
  mail_error text
);
comment on table console_invitation is 'An invitation of a brand''s developer to the console. Accepted or withdrawn: deleted.';
comment on column console_invitation.token_sha256 is 'Of the 256 random bits in the link. A new link replaces the old one.';
comment on column console_invitation.mailed_at is 'When the mail server accepted the mail. Null: it did not, or there is none.';
create unique index console_invitation_token on console_invitation (token_sha256);
create unique index console_invitation_address on console_invitation (client_id, lower(address));
create index console_invitation_expiry on console_invitation (expires_at);
