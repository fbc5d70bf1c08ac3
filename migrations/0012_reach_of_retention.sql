-- Old months are dropped by a time that follows the clock in steps: a clock that jumps ahead makes no data old.
-- beside: 0011
alter table job_lease add column reached_at timestamptz;
comment on column job_lease.reached_at is
  'Of a job that deletes what is old: the time by which it has done so. It follows the clock in steps.';
