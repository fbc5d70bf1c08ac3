-- An event that its receiver has refused for good goes on alone, and is tried hours later: that it has failed for an hour is
-- told when the hour is over, and not at its next try (webhooks.md §2, Alert mail).

-- Somebody was told that it has failed for an hour: by its own incident, or by that of the subscription.
alter table webhook_delivery add column is_told boolean not null default false;
-- Those that go on alone, by when they will have failed for an hour.
create index webhook_delivery_alone on webhook_delivery (client_id, webhook_id, holds_until)
  where settled_at is null and has_passed and not is_told;
