-- Webhooks whose pushes are also signed by HTTP Message Signatures (RFC 9421).
-- beside: 0012

alter table webhook add column has_http_signature boolean not null default false;
comment on column webhook.has_http_signature is
  'Pushes are signed with the platform''s key too. A node of a release before this column sends without that signature.';
