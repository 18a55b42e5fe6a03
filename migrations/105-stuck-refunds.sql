-- Since when a part of a refund is asked for no more: it was refused so often that nobody may ever take it. An admin has to see to it.
alter table refund_parts add column stuck_since timestamptz;
