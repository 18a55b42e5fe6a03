-- Seats that are not given again and count as done: their testers waited in vain to be listed, or the owner closed them.
alter table campaigns
  add column closed_seats int not null default 0 check (closed_seats >= 0),
  add constraint campaigns_seats_left check (seats_taken + closed_seats <= testers_required);

drop index campaigns_available;
create index campaigns_available on campaigns (id desc)
  where status = 'LIVE' and seats_taken + closed_seats < testers_required;
drop index campaigns_all_verified;
create index campaigns_all_settled on campaigns (id)
  where status in ('LIVE', 'PAUSED') and open_testers = 0 and verified_testers + closed_seats = testers_required;
