/** Rows nested in rows come as JSON, with values in the same form as in rows of their own. */
import type { Sql } from 'sql-template-tag'
import { sql } from './db.ts'

/** A timestamptz in the product's form of an instant. */
export const instantText = (instant: Sql): Sql =>
  sql`to_char(${instant} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
