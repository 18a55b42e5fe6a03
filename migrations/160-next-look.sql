-- How many follow-up looks at a pending call have been enqueued. Only the newest enqueues the next.
alter table provider_calls add column looks integer not null default 0;
