-- When the NDA that joining asked for was taken back before it was accepted: the test begins then, not on joining.
alter table participations add column nda_lifted_at timestamptz;
