-- What falls due is worked off in batches, walked in the order of these indexes; functions of one row became those of many.
drop index participations_to_wake;
create index participations_to_wake on participations (wake_at, id) where wake_at is not null;
drop index participations_to_remind;
create index participations_to_remind on participations (remind_at, id) where remind_at is not null;
drop index campaigns_ending;
create index campaigns_ending on campaigns (end_date, id) where status in ('LIVE', 'PAUSED') and open_testers = 0;
drop index bench_offers;
create index bench_offers on bench_entries (offer_ends_at, id) where offered_at is not null;
drop index bench_untold;
create index bench_untold on bench_entries (offered_at, id) where offered_at is not null and not told;
drop index opt_in_runs_contested;
create index opt_in_runs_contested on opt_in_runs (contested_at, id)
  where contested_at is not null and contest_ended_at is null;

drop function if exists close_seat(uuid, uuid, uuid, timestamptz);
drop function if exists pass_seat(uuid, timestamptz);
drop function if exists complete_campaign(uuid, uuid, timestamptz);
drop function if exists pay_waiting(campaigns, participations, timestamptz);
drop function if exists pay_tester(text, campaigns, uuid, bigint, text, timestamptz);
drop function if exists pay_testers(text[], campaigns, uuid[], bigint[], text[], timestamptz);
