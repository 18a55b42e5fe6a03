-- Feedback belongs to a test of its campaign, and answers questions of one version of its form.
select f.participation_id, f.campaign_id, f.version
from feedback_answers f join participations p on p.id = f.participation_id
where p.campaign_id <> f.campaign_id
  or exists (select from jsonb_object_keys(f.answers) as answered (id)
    where not exists (select from feedback_forms v
      where v.campaign_id = f.campaign_id and v.questions @> jsonb_build_array(jsonb_build_object('id', answered.id))));
