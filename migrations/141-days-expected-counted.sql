-- What was expected before is counted again, without a lock on what people write: the full count less the roll-up, as one statement
-- sees them, is added as a change for each developer and month. So the night's check finds nothing to report.
-- That of fold_figures and mend_figures, which would add the same.
select pg_advisory_xact_lock(7304291);
insert into figure_changes (at, developer_id, check_ins_expected)
  select month, developer_id, sum(expected) from (
    select developer_id, date_trunc('month', at, 'UTC') as month, check_ins_expected as expected
      from developer_facts where check_ins_expected is not null
    union all
    select developer_id, month, -check_ins_expected from developer_months where check_ins_expected is not null
  ) counted group by developer_id, month having sum(expected) <> 0;
