-- Files that people upload (product.md §10), and what the daily check-in says of the day.

-- The row comes before the file and goes after it, so that no file is ever without one.
create table attachments (
  id uuid primary key,
  uploader_id uuid not null references users (id),
  content_type text not null check (content_type in ('image/png', 'image/jpeg', 'image/webp', 'video/mp4')),
  -- As stored, the preview not counted.
  bytes bigint not null check (bytes > 0),
  width int,
  height int,
  sha256 bytea not null check (length(sha256) = 32),
  -- Of what an image looks like: 64 bits, a few of which differ between images that look alike.
  look_hash bytea check (length(look_hash) = 8),
  created_at timestamptz not null,
  -- Null before the file is whole, and from the moment it is about to be removed: it can be neither read nor attached.
  stored_at timestamptz,
  -- What it hangs on: a proof, the check-in of a day, or an opt-in.
  participation_id uuid references participations (id),
  kind text check (kind in ('PROOF', 'CHECK_IN', 'OPT_IN')),
  -- Of a check-in.
  day date,
  -- The order within a proof.
  position int,
  -- Since when it hangs on nothing; null while it does.
  loose_since timestamptz,
  check ((participation_id is null) = (kind is null)),
  check ((participation_id is null) = (loose_since is not null)),
  check (participation_id is null or stored_at is not null),
  check ((kind is not distinct from 'CHECK_IN') = (day is not null)),
  check ((kind is not distinct from 'PROOF') = (position is not null)),
  check ((content_type = 'video/mp4') = (look_hash is null)),
  check ((content_type = 'video/mp4') = (width is null) and (width is null) = (height is null))
);
create index attachments_loose on attachments (loose_since) where loose_since is not null;
create index attachments_loose_of_uploader on attachments (uploader_id) where loose_since is not null;
create index attachments_of_uploader on attachments (uploader_id, id);
create index attachments_of_participation on attachments (participation_id, kind, day, position)
  where participation_id is not null;
create unique index attachments_of_check_in on attachments (participation_id, day) where kind = 'CHECK_IN';
create index attachments_by_content on attachments (sha256, uploader_id) where participation_id is not null;

alter table check_ins
  add column minutes int check (minutes between 0 and 1440),
  -- Which of the campaign's features were tried.
  add column features text[] not null default '{}';
