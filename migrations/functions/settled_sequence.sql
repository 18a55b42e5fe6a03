-- The last transfer before which no other can appear any more. Accounts without a balance are not locked, so one account's
-- transfers may be committed in a different order from their ids: beyond this transfer, a line could still appear in between. A
-- posting gets the id of its transaction before those of its transfers (post_phases). So the transfers up to the last assigned id
-- are final once all transactions that had begun by then have ended, which they usually have at the first look. While one takes
-- long, this returns what was final before, and what was asked for then becomes final later. Call it alone in its transaction, on
-- the primary. In a database restored from a dump, ids of transactions begin anew, and everything it contains is final.
create or replace function settled_sequence() returns bigint language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  last bigint;
  below xid8;
  oldest xid8;
begin
  select case when is_called then last_value else last_value - 1 end into last from transfers_id_seq;
  below := pg_snapshot_xmax(pg_current_snapshot());
  for look in 1..5 loop
    oldest := pg_snapshot_xmin(pg_current_snapshot());
    exit when oldest >= below;
    perform pg_sleep(0.01);
  end loop;
  update ledger_horizon set asked_up_to = last, asked_below = below,
      up_to = greatest(up_to, case when oldest >= below then last else asked_up_to end)
    where (oldest >= below or asked_below <= oldest or asked_below > below) and (asked_up_to <> last or up_to < last);
  return (select up_to from ledger_horizon);
end $$;
