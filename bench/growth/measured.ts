/** The cost of one call for the database. */
import { nodesOf, type PlanNode, type Planned } from '../../src/testing/plans.ts'

export type Measured = {
  call: string
  who: string
  query: string
  /** Reports add up many rows, and may take longer. */
  report: boolean
  status: number
  /** The execution time of all statements in PostgreSQL, without planning. */
  ms: number
  slowestMs: number
  httpMs: number
  buffers: number
  statements: number
  /** Nodes of the plan that read much of a large table. */
  wholeReads: string[]
}

const largeRows = 5_000

const rowsRead = (node: PlanNode) =>
  ((node['Actual Rows'] ?? 0) + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)) *
  (node['Actual Loops'] ?? 1)

/** A call that reads this many rows also reads what others own. */
const wholeReadsOf = (planned: readonly Planned[]) => [
  ...new Set(
    planned
      .flatMap(({ plan }) => nodesOf(plan))
      .filter(({ node }) => node['Node Type'].endsWith('Scan') && node['Relation Name'] !== undefined)
      .filter(({ node }) => rowsRead(node) > largeRows)
      .map(
        ({ node }) =>
          `${node['Node Type']} ${node['Relation Name']} ${node['Index Name'] ?? ''}: ${Math.round(rowsRead(node))} rows`,
      ),
  ),
]

const buffersOf = (plan: PlanNode) => (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0)

export const measured = (heard: {
  status: number
  httpMs: number
  planned: Planned[]
  roundTrips: number
}): Measured => {
  const sent = heard.planned.filter(one => one.sent)
  return {
    call: '',
    who: '',
    query: '',
    report: false,
    status: heard.status,
    // An aborted statement reports no plan.
    ms: heard.status >= 500 ? heard.httpMs : sent.reduce((sum, { ms }) => sum + ms, 0),
    slowestMs: heard.status >= 500 ? heard.httpMs : Math.max(0, ...sent.map(({ ms }) => ms)),
    httpMs: heard.httpMs,
    buffers: sent.reduce((sum, { plan }) => sum + buffersOf(plan), 0),
    statements: heard.roundTrips,
    wholeReads: wholeReadsOf(heard.planned),
  }
}
