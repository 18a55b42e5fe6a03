-- Each month has its partition before it begins, and a partition that has begun to leave is gone within two days.
select 'check_ins' as parent, min(day)::text as first, count(*) as strays from check_ins_later having count(*) > 0
union all
select 'audit_log', min(at)::text, count(*) from audit_log_later having count(*) > 0
union all
select parent, name, row_count from past_partitions where gone_at is null and leaving_since < now() - interval '2 days';
