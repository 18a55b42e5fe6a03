import { planEachTime, sql, type Tx } from './db.ts'

type Sql = ReturnType<typeof sql>
type Explained = { 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }

/** How many rows the planner expects, by its estimate of the table's size and its statistics for the conditions. */
export const expectedRows = async (tx: Tx, select: Sql): Promise<number> => {
  const [explained] = await tx.rows<Explained>(planEachTime(sql`explain (format json) ${select}`))
  return explained!['QUERY PLAN'][0].Plan['Plan Rows']
}
