-- When the next look at a pending call was enqueued: of several looks one goes on.
alter table provider_calls add column next_look_noted_at timestamptz;
