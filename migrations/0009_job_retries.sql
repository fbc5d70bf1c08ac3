-- A run of a job that fails is retried in minutes, and last_run_at names the last success.
-- beside: 0008
alter table job_lease add column retry_at timestamptz, add column failures integer not null default 0;
comment on column job_lease.last_run_at is 'End of the last run that succeeded.';
comment on column job_lease.retry_at is 'After failed runs: when the job is tried again.';
comment on column job_lease.failures is 'Failed runs since the last success.';
