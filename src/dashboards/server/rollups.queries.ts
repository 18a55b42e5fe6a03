import { sql, type Tx } from '../../kit/server/db.ts'

/** Returns how many changes were added to the roll-ups. */
export const foldFigures = (tx: Tx, limit: number): Promise<number> => tx.value(sql`select fold_figures(${limit})`)

/** The first month of the roll-ups. */
export const firstMonth = async (tx: Tx): Promise<string | undefined> =>
  (await tx.maybe<{ at: string }>(sql`select at from platform_figures where unit = 'month' order by at limit 1`))?.at

export type Off = { rollUp: string; figures: string[] }

/** Corrects the roll-ups, and returns the rows that were off, with the names of the figures. */
export const mendFigures = async (tx: Tx, from: string, to: string): Promise<Off[]> => {
  const rows = await tx.rows<{ rollUp: string; off: Record<string, unknown> }>(
    sql`select roll_up as "rollUp", off from mend_figures(${from}, ${to})`,
  )
  return rows.map(({ rollUp, off }) => ({
    rollUp,
    figures: Object.keys(off).filter(name => typeof off[name] === 'number' && off[name] !== 0),
  }))
}
