-- A server of the release before writes wrong passwords without a budget, and goes on doing so until it is replaced. It
-- counts them by email itself; no budget of this release takes them in.
alter table login_failures alter column budget set default 'OLDER SERVER';
