/** Users, their sessions and notifications, and what admins did. Each step is one statement over a range of numbers. */
import { type Model, rare, type Step } from './model.ts'

const pick = (words: readonly string[], n: string, salt: number) =>
  `(array[${words.map(word => `'${word}'`).join(', ')}])[1 + growth.h(${n}, ${salt}) % ${words.length}]`

const firstNames =
  'Ada,Ben,Chloe,Dilan,Elif,Farid,Grace,Hugo,Ines,Jonas,Kaya,Lena,Mateo,Nadia,Oscar,Priya,Quinn,Rosa,Samir,Tara'
const lastNames =
  'Abbott,Baker,Castro,Dietrich,Evans,Fischer,Garcia,Hansen,Ivanov,Jensen,Kowalski,Lopez,Meyer,Novak,Okafor,Peters,Rossi,Silva,Tanaka,Weber'
const countries = ['US', 'DE', 'IN', 'BR', 'GB', 'FR', 'PL', 'NG', 'JP', 'ES']
const adjectives = ['quiet', 'bright', 'simple', 'shared', 'daily', 'pocket', 'open', 'tiny', 'clever', 'calm']
const things = ['notes', 'recipes', 'budget', 'fitness', 'music', 'travel', 'garden', 'chess', 'weather', 'reading']
const doings = ['Track', 'Plan', 'Share', 'Learn', 'Find', 'Keep', 'Sort', 'Watch']

export const titleOf = (n: string): string =>
  `'Try ' || ${pick(adjectives, n, 41)} || ' ' || ${pick(things, n, 42)} || ' ' || to_hex(${n})`

export const descriptionOf = (n: string, { campaigns }: Model): string =>
  `${pick(doings, n, 43)} || ' your ' || ${pick(things, n, 44)} || ' with the app each day, and tell us what is in the way. '
    || ${pick(doings, n, 45)} || ' a second ' || ${pick(things, n, 46)} || ' list, ' || md5(${n}::text)
    || case when n * ${rare.hits} / ${campaigns} <> (n - 1) * ${rare.hits} / ${campaigns} then ' ${rare.word}' else '' end`

const series = (from: number, to: number) => `generate_series(${from}, ${to}) n`

export const peopleSteps = ({ users, now }: Model): Step[] => [
  {
    name: 'users',
    of: 'users',
    sql: (from, to) => `
      insert into users (id, email, email_verified_at, name, role, password_hash, country, time_zone, created_at, suspended_at,
        suspension_reason)
      select growth.user_id(n), lower(first || '.' || last) || n || '@example.test', growth.user_at(n) + interval '1 hour',
        first || ' ' || last, case when n < 16 then 'ADMIN' when n % 16 = 0 then 'DEVELOPER' else 'TESTER' end, 'none',
        ${pick(countries, 'n', 53)}, 'UTC', growth.user_at(n), case when banned then growth.user_at(n) + interval '2 days' end,
        case when banned then 'Several accounts on one device.' end
      from (select n, ${pick(firstNames.split(','), 'n', 51)} as first, ${pick(lastNames.split(','), 'n', 52)} as last,
        n > ${Math.trunc(users * 0.9)} and n % 20 = 1 as banned from ${series(from, to)}) named`,
  },
  {
    name: 'sessions',
    of: 'users',
    // Three out of five users have one; those of the last thirty days are still valid.
    sql: (from, to) => `
      insert into sessions (id, user_id, ip, network, user_agent, device_fingerprint, created_at, last_used_at, expires_at)
      select growth.id(at, 8, n), growth.user_id(n), ip, ip, 'Mozilla/5.0 (Linux; Android 14)', 'device-' || md5(n::text), at, at,
        at + interval '30 days'
      from (select n, '10.' || n / 65536 % 256 || '.' || n / 256 % 256 || '.' || n % 256 as ip,
        greatest(growth.user_at(n), date_trunc('milliseconds', ${now} - interval '1 minute' * (growth.h(n, 61) % 129600))) as at
        from ${series(from, to)}) seen where n % 5 < 3`,
  },
  {
    name: 'refresh tokens',
    of: 'users',
    sql: (from, to) => `
      insert into refresh_tokens (token_hash, session_id, created_at, expires_at)
      select sha256(id::text::bytea), id, created_at, expires_at from sessions
      where user_id between growth.user_id(${from}) and growth.user_id(${to}) and expires_at > ${now}`,
  },
  {
    name: 'waitlist',
    sql: () => `
      insert into waitlist (id, email, country, role, created_at)
      select growth.id(at, 9, n), 'visitor' || n || '@example.test', ${pick(countries, 'n', 62)},
        case when n % 4 = 0 then 'developer' else 'tester' end, at
      from (select n, date_trunc('milliseconds', ${now} - interval '1 minute' * (1000000 * (1 - n * 10.0 / ${users}))) as at
        from generate_series(1, ${Math.trunc(users / 10)}) n) asked`,
  },
  {
    name: 'audit log of users',
    sql: () => `
      insert into audit_log (id, at, admin_id, action, subject_type, subject_id, facts)
      select growth.id(at, 10, n), at, growth.user_id(1 + n % 15), case when n % 3 = 0 then 'user.message' else 'user.ban' end,
        'user', growth.user_id(n), jsonb_build_object('reason', 'Several accounts on one device.')
      from (select n, growth.user_at(n) + interval '2 days' as at from ${series(1, users)}
        where n > ${Math.trunc(users * 0.9)} and n % 20 = 1) banned`,
  },
  {
    name: 'fraud reports',
    sql: () => `
      with found as (
        select n, growth.user_at(n) + interval '3 days' as at, growth.user_id(n) as user_id, growth.user_id(n + 1) as other,
          growth.h(n, 63) % 10 as state, growth.h(n, 64) % 4 as grade
        from ${series(17, users - 1)} where n % 50 = 1
      ), reported as (
        insert into fraud_reports (id, user_id, status, severity, kind, facts, finding_key, is_sample, created_at, resolution,
          decided_by, decided_at)
        select growth.id(at, 11, n), user_id, case when state < 3 then 'OPEN' when state < 7 then 'RESOLVED' else 'DISMISSED' end,
          (array['CRITICAL', 'HIGH', 'MEDIUM', 'LOW'])[1 + grade], 'SHARED_DEVICE',
          jsonb_build_object('device', substr(md5(n::text), 1, 8) || '…', 'accounts', 2, 'people', jsonb_build_array(
            jsonb_build_object('at', to_char(at, 'YYYY-MM-DD"T"HH24:MI:SS".000Z"'), 'userId', other, 'role', 'TESTER', 'suspended', false),
            jsonb_build_object('at', to_char(at, 'YYYY-MM-DD"T"HH24:MI:SS".000Z"'), 'userId', user_id, 'role', 'TESTER', 'suspended', false))),
          'shared-device-hash:seeded-' || n, false, at, case when state >= 3 then 'Talked to them.' end,
          case when state >= 3 then growth.user_id(1) end, case when state >= 3 then at + interval '5 hours' end
        from found returning id, finding_key, user_id
      )
      insert into fraud_finding_parts (finding_key, part, report_id) select finding_key, user_id::text, id from reported`,
  },
  {
    name: 'fraud scans',
    sql: () => `
      insert into fraud_scans (id, state, requested_at, started_at, finished_at, found)
      select growth.id(at, 12, n), 'DONE', at, at, at + interval '2 minutes', 3
      from (select n, ${now} - interval '1 day' * (400 - n) as at from generate_series(1, 399) n) nights`,
  },
]
