-- The address that a session was opened from: an admin tells the sessions of a user apart by it.
-- beside: 0029

-- Null: opened before this column was there.
alter table console_session add column origin text;
