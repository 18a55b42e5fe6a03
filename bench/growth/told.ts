/** What follows from campaigns and tests: notifications, the audit log, and the files attached to proofs. */
import type { Step } from './model.ts'

const within = (from: number, to: number) => `where n between ${from} and ${to}`

export const toldSteps: Step[] = [
  {
    name: 'notifications',
    of: 'campaigns',
    sql: (from, to) => `
      insert into notifications (id, user_id, subject, text, about_kind, about_id, created_at, read_at)
      select growth.id(at, 14, place), user_id, subject, text, about, about_id, at,
        case when place % 10 > 0 then at + interval '3 hours' end
      from (
        select n * 1024 + ordinal as place, tester_id as user_id, 'TEST' as about, id as about_id, closed_at as at,
          case status when 'VERIFIED' then 'Your test was verified' else 'Your test has ended' end as subject,
          'See what was decided, and what comes next.' as text
        from growth.tests ${within(from, to)} and closed_at is not null
        union all
        select n * 1024 + 512 + e.place, developer_id, 'CAMPAIGN', id, e.at, e.subject, 'Open the campaign to go on.'
        from growth.money cross join lateral (values
          (1, 'Your campaign was approved', paid_at + interval '2 hours', runs or closed_at is not null),
          (2, 'The first tester has joined', start_at + interval '1 hour', tests > 0),
          (3, 'Your campaign has ended', closed_at, closed_at is not null)) e (place, subject, at, happened)
        ${within(from, to)} and e.happened
      ) told order by at`,
  },
  {
    name: 'audit log of campaigns',
    of: 'campaigns',
    sql: (from, to) => `
      insert into audit_log (id, at, admin_id, action, subject_type, subject_id, facts)
      select growth.id(paid_at + interval '2 hours', 15, n), paid_at + interval '2 hours', growth.user_id(1 + n % 15),
        case when status = 'REJECTED' then 'campaign.reject' else 'campaign.approve' end, 'campaign', id,
        case when status = 'REJECTED' then '{"reason": "The link leads nowhere."}'::jsonb else '{}' end
      from growth.money ${within(from, to)} and status not in ('DRAFT', 'PENDING_APPROVAL') order by n`,
  },
  {
    // Only the rows, because nobody opens these pictures.
    name: 'attachments',
    of: 'campaigns',
    sql: (from, to) => `
      insert into attachments (id, uploader_id, content_type, bytes, width, height, sha256, look_hash, created_at, stored_at,
        participation_id, kind, position)
      select growth.id(at, 16, n * 256 + ordinal), tester_id, 'image/png', 120000, 720, 1280, sha256(id::text::bytea),
        substring(sha256(id::text::bytea) from 1 for 8), at, at, id, 'PROOF', 0
      from (select *, joined_at + days * interval '1 day' as at from growth.tests ${within(from, to)}
        and status in ('VERIFIED', 'SUBMITTED') and (n + ordinal) % 10 = 0) proved`,
  },
]
