-- no transaction
update campaigns set frozen_at = disputed_since
  where id in (select id from campaigns where disputed_since is not null and frozen_at is null limit 1000);
