/** How many rows a statement asks for, where its plan may be kept. */
import sql, { raw, type Sql } from 'sql-template-tag'

/** The sizes of pages that screens ask for, and one row more, which says that there is another page. */
const usual = new Set([5, 10, 20, 25, 50, 100].flatMap(size => [size, size + 1]))

/**
 * Part of the text, for `limit ${rowLimit(limit + 1)}`. PostgreSQL takes a limit that it does not see for a tenth of all rows,
 * and a plan for every value then for worse than one for these values: so it plans the statement anew on each use, which
 * takes several times as long as a page (docs/performance.md). A number that no screen asks for stays a parameter: each
 * text is a statement that every connection keeps.
 */
export const rowLimit = (count: number): Sql => (usual.has(count) ? fixedRowLimit(count) : sql`${count}`)

/** The same for a number that no caller chooses. */
export const fixedRowLimit = (count: number): Sql => raw(String(count))
