/**
 * The plan of every statement that the product sends, and of the statements inside its SQL functions, as PostgreSQL executed
 * them: auto_explain sends the plans to the connection as notices. Setting it up needs a superuser, which the embedded PostgreSQL
 * has under the same password.
 */
import pg from 'pg'

export type PlanNode = {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Index Cond'?: string
  'Order By'?: string
  Filter?: string
  'Actual Rows'?: number
  'Actual Loops'?: number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  'Shared Hit Blocks'?: number
  'Shared Read Blocks'?: number
  Plans?: PlanNode[]
}

export type Planned = {
  text: string
  plan: PlanNode
  ms: number
  /** False for a statement inside a function or of a foreign key. */
  sent: boolean
}

/** All nodes of a plan, each with its ancestors. */
export const nodesOf = (
  plan: PlanNode,
  above: readonly PlanNode[] = [],
): { node: PlanNode; above: readonly PlanNode[] }[] => [
  { node: plan, above },
  ...(plan.Plans ?? []).flatMap(child => nodesOf(child, [plan, ...above])),
]

export const superuserOf = (databaseUrl: string) => {
  const url = new URL(databaseUrl)
  url.username = 'postgres'
  return url.href
}

/** New connections to this database by the product or the tables' owner report their plans, and get these settings. */
export const tellPlans = async (
  databaseUrl: string,
  { analyze, settings = {} }: { analyze: boolean; settings?: Record<string, string> },
): Promise<void> => {
  const { username, pathname } = new URL(databaseUrl)
  const superuser = new pg.Client({ connectionString: superuserOf(databaseUrl) })
  await superuser.connect()
  try {
    for (const [name, value] of Object.entries({
      session_preload_libraries: 'auto_explain',
      'auto_explain.log_min_duration': '0',
      'auto_explain.log_analyze': analyze ? 'on' : 'off',
      'auto_explain.log_buffers': analyze ? 'on' : 'off',
      'auto_explain.log_timing': 'off',
      'auto_explain.log_nested_statements': 'on',
      'auto_explain.log_format': 'json',
      'auto_explain.log_level': 'notice',
      ...settings,
    })) {
      for (const role of [username, 'fieldtest_app'])
        await superuser.query(`alter role ${role} in database ${pathname.slice(1)} set ${name} = '${value}'`)
    }
  } finally {
    await superuser.end()
  }
}

type Query = (statement: unknown, ...more: unknown[]) => Promise<pg.QueryResult>
type Notice = { message?: string | undefined }

const textOf = (statement: unknown) =>
  typeof statement === 'string' ? statement : ((statement as { text?: string } | undefined)?.text ?? '')

const isNamed = (statement: unknown) => (statement as { name?: string } | undefined)?.name !== undefined

const valuesOf = (statement: unknown, [second]: unknown[]): unknown[] =>
  Array.isArray(second) ? second : ((statement as Partial<Unprepared> | undefined)?.values ?? [])

/** A statement without a name, which is planned for its values each time; with the values of one of its calls. */
export type Unprepared = { text: string; values: unknown[] }

export type Listener = {
  /** The plans since the last call, and the number of round trips. */
  taken: () => { planned: Planned[]; roundTrips: number }
  unprepared: () => Unprepared[]
  stop: () => void
}

/** Listens to every connection of this process that sends a statement from now on. */
export const listenToPlans = (): Listener => {
  const client = pg.Client.prototype as unknown as { query: Query }
  const original = client.query
  const known = new WeakSet<object>()
  const sent = new Set<string>()
  const unprepared = new Map<string, Unprepared>()
  let planned: Planned[] = []
  let roundTrips = 0
  const hear = ({ message = '' }: Notice) => {
    const [, ms, json] = /^duration: ([\d.]+) ms {2}plan:\n(.*)$/s.exec(message) ?? []
    if (ms === undefined || json === undefined) return
    const { 'Query Text': text, Plan: plan } = JSON.parse(json) as { 'Query Text': string; Plan: PlanNode }
    planned.push({ text, plan, ms: Number(ms), sent: sent.has(text) })
  }
  client.query = function listen(this: pg.Client, statement, ...more) {
    if (!known.has(this)) {
      known.add(this)
      this.on('notice', hear)
    }
    const text = textOf(statement)
    sent.add(text)
    if (!isNamed(statement)) unprepared.set(text, { text, values: valuesOf(statement, more) })
    roundTrips += 1
    return original.call(this, statement, ...more)
  }
  return {
    taken: () => {
      const result = { planned, roundTrips }
      planned = []
      roundTrips = 0
      return result
    },
    unprepared: () => [...unprepared.values()],
    stop: () => {
      client.query = original
    },
  }
}
