-- How much work an event makes: the relay takes batches of about the same (docs/decisions/0040-fair-turns.md).
-- beside: 0030

-- One, and one for each line of the object that it is about. 1 of rows that an older release writes.
alter table outbox add column weight integer not null default 1;
