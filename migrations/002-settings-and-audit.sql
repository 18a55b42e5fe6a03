-- System settings (product.md §7). The defaults are the constants of the specification. What concerns a campaign is
-- copied onto it at creation, so that a change applies to new campaigns only.

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

-- For tables that only grow.
create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = '0A000';
end $$;

-- What admins did, and to what.
create table audit_log (
  id uuid primary key,
  at timestamptz not null,
  admin_id uuid not null references users (id),
  action text not null,
  subject_type text not null,
  subject_id uuid not null,
  facts jsonb not null
);
create index audit_log_by_time on audit_log (id desc);
create index audit_log_by_subject on audit_log (subject_type, subject_id, id desc);
create index audit_log_by_action on audit_log (action, id desc);
create index audit_log_by_admin on audit_log (admin_id, id desc);
create trigger audit_log_append_only before update or delete or truncate on audit_log
  for each statement execute function refuse_change();
