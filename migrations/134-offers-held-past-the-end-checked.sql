-- no transaction
update campaigns set completes_at = null
  where id in (select id from campaigns where offered_seats > 0 and completes_at is not null limit 1000);
alter table campaigns validate constraint campaigns_seats_summed_up;
