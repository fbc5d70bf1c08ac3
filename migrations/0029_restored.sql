-- After a restore: what waits for an operator's release, and numbers that jump ahead of those the world has seen.
-- beside: 0027

-- citus: local
-- One row for each restore that a node was told of and each part that waits. It waits until somebody releases it.
create table restore_hold (
  -- As CROSSDOCK_RESTORED names it: the moment that was restored.
  restored_to text not null,
  part text not null check (part in ('DELIVERIES', 'ALLOCATION', 'TASKS')),
  held_at timestamptz not null,
  released_at timestamptz,
  released_by text,
  primary key (restored_to, part)
);

-- Events of an object are counted from here on at the least: raised by a restore, so that no event after it has a number
-- that somebody has seen of another one.
alter table outbox_lane add column sequence_base bigint not null default 0;

-- Positions that restores have left out, and that no movement will ever have.
alter table stock_book add column skipped bigint not null default 0;
