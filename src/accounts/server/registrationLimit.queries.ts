import { sql, type Tx } from '../../kit/server/db.ts'

export type Window = { registrations: number; windowStart: string }

/** Counts one more in the network's window, which begins anew when it began before `since`. */
export const count = (tx: Tx, at: { network: string; now: string; since: string }): Promise<Window> =>
  tx.one(
    sql`insert into registration_networks as n (network, window_start, registrations) values (${at.network}, ${at.now}, 1)
    on conflict (network) do update set
      window_start = case when n.window_start > ${at.since} then n.window_start else excluded.window_start end,
      registrations = case when n.window_start > ${at.since} then n.registrations + 1 else 1 end
    returning registrations, window_start as "windowStart"`,
    'Network',
  )

export const uncount = (tx: Tx, network: string): Promise<number> =>
  tx.run(sql`update registration_networks set registrations = registrations - 1
    where network = ${network} and registrations > 0`)

/** Deletes the networks whose window is over. */
export const forgetNetworks = (tx: Tx, before: string): Promise<number> =>
  tx.run(sql`delete from registration_networks where window_start <= ${before}`)
