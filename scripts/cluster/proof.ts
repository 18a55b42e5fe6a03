/** Checks at the end that every answered write is there once, and that the books are in order. */
import pg from 'pg'
import { runChecks } from '../../src/testing/checks.ts'
import { until } from '../deploy/children.ts'
import type { Client } from '../deploy/tlsClient.ts'
import { askOnce, type Write } from './load.ts'

export type Proof = {
  acknowledged: number
  lost: number
  retried: number
  /** How many of those gave a different answer when they were sent once more. */
  differing: number
  /** How many campaigns and payments have no answered write, or are missing. */
  surplus: number
  refunds: number
}

const lostOf = async (db: pg.Client, writes: readonly Write[]): Promise<number> => {
  const rows = writes.map(({ kind, key, campaignId }) => ({ kind, key, campaign: campaignId }))
  const { rows: lost } = await db.query(
    `select w.* from jsonb_to_recordset($1) as w (kind text, key text, campaign uuid)
      left join campaigns c on c.id = w.campaign
    where c.id is null
      or not exists (select from idempotency_keys k where k.key = w.key and k.user_id = c.developer_id)
      or (w.kind = 'fund' and not exists (select from payments p where p.campaign_id = c.id and p.status = 'COMPLETED'))
      or (w.kind = 'cancel' and c.status <> 'CANCELLED')`,
    [JSON.stringify(rows)],
  )
  return lost.length
}

/** Every key was answered in the end, so there are exactly as many campaigns and payments as keys. */
const surplusOf = async (db: pg.Client, writes: readonly Write[]): Promise<number> => {
  const count = (kind: Write['kind']) => writes.filter(write => write.kind === kind).length
  const { rows } = await db.query<{ campaigns: number; payments: number }>(`select
    (select count(*)::int from campaigns) as campaigns,
    (select count(*)::int from payments where status = 'COMPLETED') as payments`)
  return Math.abs(rows[0]!.campaigns - count('create')) + Math.abs(rows[0]!.payments - count('fund'))
}

/** Sent once more, a key changes nothing, and its answer names the same campaign. */
const differingOf = async ({ call }: Client, retried: readonly Write[]): Promise<number> => {
  let differing = 0
  for (const { path, body, token, key, campaignId } of retried) {
    const answer = await askOnce(call(path, { method: 'POST', token, body, headers: { 'idempotency-key': key } }))
    const again = answer && answer.status < 300 ? (JSON.parse(answer.body) as { id: string }).id : null
    if (again !== campaignId) differing += 1
  }
  return differing
}

export const prove = async (client: Client, url: string, writes: readonly Write[]): Promise<Proof> => {
  const db = new pg.Client({ connectionString: url })
  await db.connect()
  try {
    await until('every refund has arrived', async () => {
      const { rows } = await db.query<{ waiting: number }>(
        `select count(*)::int as waiting from refund_parts where status = 'PENDING'`,
      )
      return rows[0]?.waiting === 0
    })
    const retried = writes.filter(({ tries }) => tries > 1)
    const differing = await differingOf(client, retried)
    const broken = await runChecks(statement => db.query(statement))
    if (broken.length > 0) throw new Error(`Checks that do not hold: ${JSON.stringify(broken)}`)
    const { rows } = await db.query<{ count: number }>(`select count(*)::int from refund_parts`)
    return {
      acknowledged: writes.length,
      lost: await lostOf(db, writes),
      retried: retried.length,
      differing,
      surplus: await surplusOf(db, writes),
      refunds: rows[0]!.count,
    }
  } finally {
    await db.end()
  }
}
