-- System settings (product.md §7): the spec's constants are the defaults. What concerns a campaign is copied onto it
-- when it is created, so that a change applies to new campaigns only.
create table settings (
  only_row boolean primary key default true check (only_row),
  fee_basis_points int not null default 1500 check (fee_basis_points between 0 and 10000),
  minimum_withdrawal_cents bigint not null default 1000 check (minimum_withdrawal_cents between 100 and 1000000),
  review_hours int not null default 72 check (review_hours between 1 and 720),
  at_risk_hours int not null default 48 check (at_risk_hours between 1 and 720),
  drop_hours int not null default 72 check (drop_hours between 2 and 720),
  check (at_risk_hours < drop_hours)
);
insert into settings default values;

alter table campaigns
  add column review_hours int not null default 72,
  add column at_risk_hours int not null default 48,
  add column drop_hours int not null default 72;

-- The least to withdraw is what the settings say; only the sign is the table's to guard.
alter table withdrawals drop constraint withdrawals_amount_cents_check,
  add constraint withdrawals_amount_cents_check check (amount_cents > 0);

create index audit_log_by_time on audit_log (id desc);
create index audit_log_by_action on audit_log (action, id desc);
create index audit_log_by_admin on audit_log (admin_id, id desc);
