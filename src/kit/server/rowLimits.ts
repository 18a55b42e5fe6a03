/** Row limits of statements whose plans may be kept. */
import sql, { raw, type Sql } from 'sql-template-tag'

/** The page sizes that screens ask for, and each plus one row, which tells whether there is another page. */
const usual = new Set([5, 10, 20, 25, 50, 100].flatMap(size => [size, size + 1]))

/**
 * Part of the text, for `limit ${rowLimit(limit + 1)}`. If the limit is a parameter, PostgreSQL assumes a tenth of all rows and
 * considers a plan for every value worse than one for these values, so it plans the statement again on each use, which takes
 * several times as long as reading a page (docs/performance.md). A number that no screen asks for stays a parameter, because each
 * text is a statement that every connection keeps.
 */
export const rowLimit = (count: number): Sql => (usual.has(count) ? fixedRowLimit(count) : sql`${count}`)

/** For a number that no caller chooses. */
export const fixedRowLimit = (count: number): Sql => raw(String(count))
