-- no transaction
-- What was found before gets its new name from the triggers of 164. Reports first: they are told by the parts which devices they show.
update fraud_reports set finding_key = finding_key
  where id in (select id from fraud_reports where finding_key like 'shared-device:%' or finding_key like 'self-test:%' limit 1000);
update fraud_finding_parts set finding_key = finding_key
  where (finding_key, part) in (select finding_key, part from fraud_finding_parts
    where finding_key like 'shared-device:%' or finding_key like 'self-test:%' limit 1000);
