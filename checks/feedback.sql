-- Feedback is of a test of its campaign, and answers questions of its version of the form.
select f.participation_id, f.campaign_id, f.version
from feedback_answers f join participations p on p.id = f.participation_id
  join feedback_forms v on v.campaign_id = f.campaign_id and v.version = f.version
where p.campaign_id <> f.campaign_id
  or exists (select from jsonb_object_keys(f.answers) as answered (id)
    where not v.questions @> jsonb_build_array(jsonb_build_object('id', answered.id)));
