-- Tells the owner of a campaign, and those inside it.
create or replace function tell_all_of_campaign(p_campaign uuid, p_topic text) returns void language sql as $$
  insert into user_events (user_id, topic, subject_id)
    select developer_id, p_topic, id from campaigns where id = p_campaign
    union all
    select tester_id, 'TEST', id from participations where campaign_id = p_campaign and closed_at is null;
$$;
