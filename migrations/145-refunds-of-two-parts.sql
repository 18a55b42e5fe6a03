-- A part of which a bank gave back only some becomes two, so a refund may have several of a payment.
alter table refund_parts drop constraint refund_parts_refund_id_payment_id_key;
