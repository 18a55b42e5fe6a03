-- Feedback forms (decision 038): every version is kept, because testers answer the one that they joined with.
create table feedback_forms (
  campaign_id uuid not null references campaigns (id),
  version int not null check (version > 0),
  -- How many testers had joined: who has a higher ordinal joined with this version or a later one.
  after_ordinal int not null,
  -- As in src/feedback/contract.ts; empty when the form was taken away.
  questions jsonb not null check (jsonb_typeof(questions) = 'array'),
  saved_at timestamptz not null,
  primary key (campaign_id, version)
);

-- One for each test; answers by the question's id.
create table feedback_answers (
  participation_id uuid primary key references participations (id),
  campaign_id uuid not null,
  version int not null,
  answers jsonb not null check (jsonb_typeof(answers) = 'object'),
  answered_at timestamptz not null,
  foreign key (campaign_id, version) references feedback_forms (campaign_id, version)
);
create index feedback_answers_of_campaign on feedback_answers (campaign_id, version);
