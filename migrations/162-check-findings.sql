-- A whole run of a check says how things stood when it began. What was found in the meantime is not undone by it.
alter table money_check_states
  -- How often changes were found that break it, or that it could not follow.
  add column findings bigint not null default 0;
