/** Rows inside rows: as JSON, in the shape in which they would have come by themselves. */
import type { Sql } from 'sql-template-tag'
import { sql } from './db.ts'

/** A timestamptz as the product writes instants. */
export const instantText = (instant: Sql): Sql =>
  sql`to_char(${instant} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
