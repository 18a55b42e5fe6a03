-- How many looks at a pending call were enqueued after others: whoever was enqueued last enqueues the next one.
alter table provider_calls add column looks integer not null default 0;
