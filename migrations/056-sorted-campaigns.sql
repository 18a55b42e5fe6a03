-- The lists of campaigns can be sorted: what a tester can join by pay and by days, all of an admin's by pay and by what was
-- paid in. The ids that follow run in the direction of the column, so that an index serves it backwards, too.
create index campaigns_available_by_pay on campaigns (pay_per_tester_cents, id) where status = 'LIVE'
  and (seats_taken + closed_seats + offered_seats < testers_required or bench_testers < testers_required);
create index campaigns_available_by_days on campaigns (duration_days, id) where status = 'LIVE'
  and (seats_taken + closed_seats + offered_seats < testers_required or bench_testers < testers_required);
create index campaigns_by_pay on campaigns (pay_per_tester_cents, id);
drop index campaigns_by_revenue;
create index campaigns_by_revenue on campaigns ((funded_cents + fee_cents), id);
