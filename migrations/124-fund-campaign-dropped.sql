-- Charges are made by begin_charge and settle_charge. A new database never had it: functions are applied after the numbered files.
-- contract: not used since release 2
drop function if exists fund_campaign(uuid, uuid, uuid, bigint, text, text, timestamptz);
