-- no transaction
-- Accounts that were deleted before a deletion erased why an admin had rejected what has never started.
update campaign_events set facts = facts || '{"reason": "Deleted"}' where id in (select e.id
  from users u join campaigns c on c.developer_id = u.id join campaign_events e on e.campaign_id = c.id
  where u.deleted_at is not null and c.status = 'CANCELLED' and c.start_date is null and e.kind = 'REJECTED'
    and e.facts ->> 'reason' <> 'Deleted' limit 1000);
