-- When the provider said that it is collecting a payment, such as a bank debit: from then on nothing is left to pay on its page.
alter table charges add column collecting_since timestamptz;
