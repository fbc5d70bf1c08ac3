-- Users of the console who sign in by an identity provider: known by issuer and subject, never by their name.
-- beside: 0030

-- Null: a local account, which signs in by its password. The others have one that nobody knows.
alter table console_user add column identity_issuer text, add column identity_subject text;
-- harmless: older releases leave both null, and there are seldom more than a hundred users
create unique index console_user_identity on console_user (identity_issuer, identity_subject);

-- harmless: it allows more than before
alter table sign_in_refusal drop constraint sign_in_refusal_reason_check,
  add constraint sign_in_refusal_reason_check check (reason in ('NAME_OR_PASSWORD', 'SUSPENDED', 'NO_GROUP'));
