-- Bug numbers have no gaps, a bug is in the campaign of its test, a duplicate points to a bug of the same campaign that is not a
-- duplicate itself, comments are counted, and whoever reported a fixed bug was asked to retest it or no longer could.
select n.campaign_id, 'numbers' as what from bug_numbers n
where n.last <> (select count(*) from bugs where campaign_id = n.campaign_id)
  or n.last <> (select max(number) from bugs where campaign_id = n.campaign_id)
union all
select b.campaign_id, 'bug ' || b.number from bugs b join participations p on p.id = b.participation_id
  left join bugs o on o.id = b.duplicate_of
where b.campaign_id <> p.campaign_id or o.campaign_id <> b.campaign_id or o.status = 'DUPLICATE'
  or b.comments <> (select count(*) from bug_events where bug_id = b.id and kind = 'COMMENTED')
union all
select b.campaign_id, 'retest of ' || b.number from bugs b left join bugs o on o.id = b.duplicate_of
  join participations p on p.id = b.participation_id join users u on u.id = p.tester_id and u.deleted_at is null
where coalesce(o.fixed_in, b.fixed_in) is distinct from (
  select version from bug_retests where bug_id = b.id and (withdrawn_at is null or withdrawn_at = asked_at) and result is distinct from 'STILL_BROKEN'
  order by id desc limit 1) and coalesce(o.fixed_in, b.fixed_in) is not null
union all
select b.campaign_id, 'open retest of ' || b.number from bug_retests r join bugs b on b.id = r.bug_id
  left join bugs o on o.id = b.duplicate_of
where r.result is null and r.withdrawn_at is null and coalesce(o.status, b.status) <> 'FIXED';
