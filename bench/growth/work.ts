/** Campaigns, their tests, and what happened in them. Each step goes through the campaigns in order. */
import { type Model, type Step, unusedTester } from './model.ts'
import { descriptionOf, titleOf } from './people.ts'

const within = (from: number, to: number) => `where n between ${from} and ${to}`

const campaigns = (model: Model): Step => ({
  name: 'campaigns',
  of: 'campaigns',
  sql: (from, to) => `
    insert into campaigns (id, developer_id, title, description, platform, distribution_link, testers_required,
      pay_per_tester_cents, duration_days, daily_check_in, countries, country_codes, status, fee_basis_points, quoted_fee_cents,
      funded_cents, fee_cents, seats_taken, open_testers, verified_testers, joins_ever, closed_seats, offered_seats, bench_testers,
      start_date, end_date, submitted_at, submission, rejection_reason, created_at, closed_at, access_mode, addresses_erased_at)
    select id, developer_id, ${titleOf('n')}, ${descriptionOf('n', model)}, platform, 'https://example.test/' || n,
      seats, pay, days, true, '{}', '{}', status, 1500, seats * fee_share,
      case when funded then seats * pay - back_pay else 0 end, case when funded then seats * fee_share - back_fee else 0 end,
      verified + open, open, verified, tests, closed_seats, offered::int, bench,
      case when runs or closed_at is not null then start_at end,
      case when runs or closed_at is not null then start_at + days * interval '1 day' + interval '2 days' end,
      case when funded then paid_at end, case when funded then n end,
      case when status = 'REJECTED' then 'The link leads nowhere.' end, created_at, closed_at, access_mode,
      case when access_mode <> 'OPEN_LINK' and closed_at < ${model.now} - interval '30 days' then closed_at + interval '30 days' end
    from growth.money ${within(from, to)} order by n`,
})

const participations = ({ now }: Model): Step => ({
  name: 'participations',
  of: 'campaigns',
  sql: (from, to) => `
    insert into participations (id, campaign_id, tester_id, ordinal, status, device_platform, device_os_version, device_model,
      device_manufacturer, device_fingerprint, time_zone, joined_at, proof_allowed_at, last_seen_at, check_in_count,
      last_check_in_day, at_risk, proof_text, proof_submitted_at, review_note, changes_requested, rejection_code, rejection_reason,
      reviewed_at, reviewed_by, drop_reason, payout_amount_cents, closed_at, wake_at, listed_at, opted_in_at, opted_out_at, remind_at)
    select id, campaign_id, tester_id, ordinal, status, platform, '14', 'Pixel 8', 'Google',
      'device-' || md5((case when tester_n % 500 = 1 then tester_n - 1 else tester_n end)::text), 'UTC', joined_at,
      case when access_mode = 'OPEN_LINK' or opted then joined_at + days * interval '1 day' end, seen_at, check_ins,
      case when check_ins > 0 then (joined_at + (check_ins - 1) * interval '1 day')::date end,
      status = 'ACTIVE' and seen_at < ${now} - interval '48 hours',
      case when proved then 'I used the app on each of the ' || days || ' days. The search of ' || substr(md5(id::text), 1, 12)
        || ' forgets what was typed, and the list jumps back after ' || ordinal || ' lines.' end,
      case when proved then joined_at + days * interval '1 day' end,
      case when status = 'CHANGES_REQUESTED' then 'Please add a picture of the search.' end, (status = 'CHANGES_REQUESTED')::int,
      case when status = 'REJECTED' then 'OTHER' end,
      case when status = 'REJECTED' then 'The proof speaks of another app than ours.' end,
      case when status in ('VERIFIED', 'REJECTED') then closed_at
        when status = 'CHANGES_REQUESTED' then joined_at + days * interval '1 day' + interval '6 hours' end,
      case when status in ('VERIFIED', 'REJECTED', 'CHANGES_REQUESTED') then developer_id end,
      case when status = 'DROPPED' then case when ordinal % 2 = 0 then 'LEFT' else 'NO_CHECK_IN' end end,
      case when status in ('REJECTED', 'DROPPED') then 0 when status = 'CANCELLED' then cancelled_pay else pay end, closed_at,
      case status when 'SUBMITTED' then joined_at + days * interval '1 day' + interval '72 hours'
        when 'CHANGES_REQUESTED' then seen_at + interval '72 hours'
        when 'ACTIVE' then seen_at + case when seen_at < ${now} - interval '48 hours' then interval '72 hours' else interval '48 hours' end
        end,
      case when opted then joined_at + interval '20 minutes' end,
      case when opted and campaign_status <> 'CANCELLED' then joined_at + interval '40 minutes' end,
      case when opted and campaign_status = 'CANCELLED' then campaign_closed_at end,
      case when status = 'ACTIVE' and not waits then (current_date + 1) + interval '19 hours' end
    from (select *, access_mode = 'EMAIL_LIST' and not waits as opted,
        status in ('VERIFIED', 'SUBMITTED', 'CHANGES_REQUESTED', 'REJECTED') as proved,
        case when status = 'CHANGES_REQUESTED' then joined_at + days * interval '1 day' + interval '6 hours'
          when check_ins = 0 then joined_at else joined_at + (check_ins - 1) * interval '1 day' + interval '20 minutes' end as seen_at
      from growth.tests ${within(from, to)} offset 0) test order by n, ordinal`,
})

const checkIns: Step = {
  name: 'check-ins',
  of: 'campaigns',
  sql: (from, to) => `
    insert into check_ins (participation_id, day, at, note, minutes)
    select id, (joined_at + k * interval '1 day')::date, joined_at + k * interval '1 day' + interval '20 minutes',
      case when (ordinal + k) % 7 = 0 then 'The search is slow today.' end, 5 + (ordinal + k) % 20
    from growth.tests, generate_series(0, check_ins - 1) k ${within(from, to)} order by n, ordinal, k`,
}

/** A run for each tester who opted in. Verified testers stay in until the campaign is cancelled. */
const closedTests = ({ now }: Model): Step[] => [
  {
    name: 'runs',
    of: 'campaigns',
    sql: (from, to) => `
      insert into opt_in_runs (participation_id, campaign_id, started_at, confirmed_at, ended_at, end_reason)
      select id, campaign_id, joined_at + interval '40 minutes', joined_at + interval '40 minutes', ended_at,
        case when ended_at is not null then case when campaign_status = 'CANCELLED' then 'CANCELLED' else status end end
      from (select *, case when status in ('DROPPED', 'REJECTED') then closed_at
          when campaign_status = 'CANCELLED' then campaign_closed_at end as ended_at
        from growth.tests ${within(from, to)}) test where access_mode = 'EMAIL_LIST' and not waits order by n, ordinal`,
  },
  {
    // Addresses that are not erased are sealed by the seed itself, with its own key.
    name: 'erased addresses',
    of: 'campaigns',
    sql: (from, to) => `
      insert into play_addresses (participation_id, tester_id, consent_version, consented_at, erased_at)
      select id, tester_id, 1, joined_at, campaign_closed_at + interval '30 days'
      from growth.tests ${within(from, to)} and access_mode = 'EMAIL_LIST' and campaign_closed_at < ${now} - interval '30 days'`,
  },
  {
    name: 'play counts',
    sql: () => `
      insert into play_counts (campaign_id, day, count, recorded_at)
      select id, day::date, seats, day from growth.plan, generate_series(start_at, ${now}, interval '1 day') day
      where runs and access_mode = 'EMAIL_LIST'`,
  },
]

const bench = (model: Model): Step => ({
  name: 'bench',
  sql: () => `
    insert into bench_entries (id, campaign_id, tester_id, entered_at, offered_at, offer_ends_at, told, device_platform,
      device_model, time_zone)
    select growth.id(start_at + interval '3 hours', 13, n * 256 + k), id, growth.user_id(${unusedTester(model, 'growth.h(n, 71) + k')}),
      start_at + interval '3 hours', case when offered then ${model.now} - interval '1 hour' end,
      case when offered then ${model.now} + interval '23 hours' end, offered, platform, 'Pixel 8', 'UTC'
    from growth.plan, generate_series(1, bench) k order by n, k`,
})

/** The events that triggers would have written, in the order of each campaign's history. */
const events: Step = {
  name: 'campaign events',
  of: 'campaigns',
  sql: (from, to) => `
    insert into campaign_events (campaign_id, participation_id, at, kind, facts)
    select campaign_id, participation_id, at, kind, facts from (
      select n, id as campaign_id, null::uuid as participation_id, e.at, e.kind, e.facts
      from growth.money cross join lateral (values
        ('CREATED', created_at, '{}'::jsonb, true),
        ('PAID', paid_at, jsonb_build_object('amountCents', seats * (pay + fee_share)), funded),
        ('SUBMITTED', paid_at, '{}', funded),
        ('REJECTED', paid_at + interval '2 hours', '{"reason": "The link leads nowhere."}', status = 'REJECTED'),
        ('APPROVED', least(paid_at + interval '2 hours', start_at), '{}', runs or closed_at is not null or status = 'APPROVED'),
        ('STARTED', start_at, '{}', runs or closed_at is not null),
        ('SEAT_CLOSED', start_at + interval '2 hours', '{}', closed_seats > 0),
        ('PAUSED', start_at + interval '4 hours', '{}', status = 'PAUSED'),
        (status, closed_at, '{}', closed_at is not null),
        ('REFUNDED', refund_at, jsonb_build_object('amountCents', back_pay + back_fee),
          back_pay + back_fee > 0)) e (kind, at, facts, happened)
      ${within(from, to)} and e.happened
      union all
      select n, campaign_id, id, e.at, e.kind, jsonb_build_object('ordinal', ordinal) || e.facts
      from growth.tests cross join lateral (values
        ('TESTER_JOINED', joined_at, '{}'::jsonb, true),
        ('PROOF_SUBMITTED', joined_at + days * interval '1 day', '{}',
          status in ('VERIFIED', 'SUBMITTED', 'CHANGES_REQUESTED', 'REJECTED')),
        ('CHANGES_REQUESTED', joined_at + days * interval '1 day' + interval '6 hours',
          '{"reason": "Please add a picture of the search."}', status = 'CHANGES_REQUESTED'),
        ('TESTER_VERIFIED', closed_at, jsonb_build_object('amountCents', cents, 'bySilence', false), status = 'VERIFIED'),
        ('TESTER_REJECTED', closed_at, '{"code": "OTHER", "reason": "The proof speaks of another app than ours."}',
          status = 'REJECTED'),
        (case when ordinal % 2 = 0 then 'TESTER_LEFT' else 'TESTER_DROPPED' end, closed_at,
          jsonb_build_object('dropReason', case when ordinal % 2 = 0 then 'LEFT' else 'NO_CHECK_IN' end), status = 'DROPPED'),
        ('TESTER_CANCELLED', closed_at, jsonb_build_object('amountCents', cents), status = 'CANCELLED')) e (kind, at, facts, happened)
      ${within(from, to)} and e.happened
    ) history order by n, at`,
}

export const workSteps = (model: Model): Step[] => [
  campaigns(model),
  participations(model),
  checkIns,
  ...closedTests(model),
  bench(model),
  events,
]
