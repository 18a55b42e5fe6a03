-- How many calls of one kind a caller made since their hour began: four tables alike become one, and no release has had
-- them yet. Its rows live for an hour, so none are taken along.
create table hourly_calls (
  -- A network (an IPv4 address, or the /64 of an IPv6 one) or a user's id.
  caller text not null,
  kind text not null,
  hour_began_at timestamptz not null,
  calls int not null,
  primary key (caller, kind)
);
create index hourly_calls_by_age on hourly_calls (hour_began_at);

drop table waitlist_addresses, registration_networks, reset_requests, recovery_code_requests;

-- As in login_failures: a server of the release before counts wrong codes by user, without a budget.
alter table factor_guesses alter column budget set default 'OLDER SERVER';
