-- A change answers bugs of its own campaign, and each bug is in at most one change of a version.
select v.campaign_id, c.id from change_answers a join changes c on c.id = a.change_id join versions v on v.id = c.version_id
  join bugs b on b.id = a.bug_id
where b.campaign_id <> v.campaign_id
union all
select b.campaign_id, c.version_id from change_answers a join changes c on c.id = a.change_id join bugs b on b.id = a.bug_id
group by b.campaign_id, b.id, c.version_id having count(*) > 1;
