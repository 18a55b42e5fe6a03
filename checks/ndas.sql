-- A test's last accepted version, and the time of its first acceptance, agree with its recorded acceptances; each was recorded by
-- the test's tester; and a campaign asks for its newest text.
select 'test' as what, p.id from participations p
left join nda_acceptances a on a.participation_id = p.id
group by p.id
having p.nda_accepted is distinct from max(a.version) or p.nda_accepted_at is distinct from min(a.accepted_at)
  or bool_or(a.tester_id <> p.tester_id or a.campaign_id <> p.campaign_id)
union all
select 'campaign', c.id from campaigns c
where c.nda_version <> (select max(version) from nda_texts where campaign_id = c.id)
union all
-- Only refusing is paid under this key.
select 'refusal', p.id from participations p join transfers t on t.business_key = 'nda-pay:' || p.id where not p.nda_refused;
