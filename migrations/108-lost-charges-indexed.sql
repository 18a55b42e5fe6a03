-- no transaction
alter table lost_movements validate constraint lost_movements_kind_check;
alter table lost_movements validate constraint lost_movements_charge_check;
create index concurrently if not exists lost_charges on lost_movements (id) where kind = 'CHARGE';
