import { sql } from '../../kit/server/db.ts'

/** Every month (UTC) from `from` to `now`, with its `label` and its `start`. */
export const monthsFrom = (from: string, now: string) => sql`(
  select to_char(m, 'YYYY-MM') as label, m at time zone 'UTC' as start
  from generate_series(date_trunc('month', ${from}::timestamptz at time zone 'UTC'),
    ${now}::timestamptz at time zone 'UTC', interval '1 month') m) calendar`
