-- no transaction
-- Accounts that were deleted before a deletion erased the texts of what was paid and refunded without ever having started.
update nda_texts set text = 'Deleted' where (campaign_id, version) in (select n.campaign_id, n.version
  from users u join campaigns c on c.developer_id = u.id join nda_texts n on n.campaign_id = c.id
  where u.deleted_at is not null and c.status = 'CANCELLED' and c.start_date is null and n.text <> 'Deleted' limit 1000);
update feedback_forms set questions = '[]' where (campaign_id, version) in (select f.campaign_id, f.version
  from users u join campaigns c on c.developer_id = u.id join feedback_forms f on f.campaign_id = c.id
  where u.deleted_at is not null and c.status = 'CANCELLED' and c.start_date is null and f.questions <> '[]' limit 1000);
update campaigns set description = 'Deleted', distribution_link = 'https://deleted.invalid/',
    group_link = case when group_link is not null then 'https://deleted.invalid/' end, features = '{}', feedback_questions = 0
  where id in (select c.id from users u join campaigns c on c.developer_id = u.id
    where u.deleted_at is not null and c.status = 'CANCELLED' and c.start_date is null and c.description <> 'Deleted' limit 1000);
