/**
 * Pauses of jobs (decision 044). While one is open, every server leaves the jobs of paused queues where they are and skips the
 * runs of paused schedules; jobs that are `neverPaused` go on. At most one is open.
 */
import { randomUUIDv7 } from 'node:crypto'
import { clock } from '../clock.ts'
import { sql, type Tx } from './db.ts'

/** A restored copy would repeat what the original has done; an admin has reasons of their own. */
export const pauseReasons = ['RESTORED', 'ADMIN'] as const
export type PauseReason = (typeof pauseReasons)[number]

export type Pause = {
  id: string
  reason: PauseReason
  note: string
  pausedAt: string
  /** The admin's id. */
  pausedBy: string | null
  /** For a restored copy: when its keys were found, the provider's file, and when it was reconciled; null until then. */
  keysFoundAt: string | null
  providerFile: string | null
  reconciledAt: string | null
}

const columns = sql`id, reason, note, paused_at as "pausedAt", paused_by as "pausedBy", keys_found_at as "keysFoundAt",
  provider_file as "providerFile", reconciled_at as "reconciledAt"`

export const openPause = (tx: Tx): Promise<Pause | undefined> =>
  tx.maybe(sql`select ${columns} from job_pauses where resumed_at is null`)

type NewPause = { note: string } & ({ reason: 'ADMIN'; by: string } | { reason: 'RESTORED' })

/**
 * Pauses the jobs once `tx` commits; jobs that have begun are finished. Undefined for an admin if jobs are paused already. A
 * restored copy that was paused when it was backed up stays paused, and waits for all that a restored copy waits for.
 */
export const pauseJobs = (tx: Tx, pause: NewPause): Promise<Pause | undefined> => {
  const by = pause.reason === 'ADMIN' ? pause.by : null
  const taken =
    pause.reason === 'ADMIN'
      ? sql`nothing`
      : sql`update set reason = 'RESTORED', note = excluded.note || ' (Paused before: ' || job_pauses.note || ')',
          keys_found_at = null, provider_file = null, reconciled_at = null, found = null`
  return tx.maybe(sql`insert into job_pauses (id, reason, note, paused_at, paused_by)
    values (${randomUUIDv7()}, ${pause.reason}, ${pause.note}, ${clock.now()}, ${by})
    on conflict ((true)) where resumed_at is null do ${taken} returning ${columns}`)
}

/** Jobs go on once `tx` commits. Undefined if no pause is open, or not for this reason. */
export const endPause = (
  tx: Tx,
  { reason, by }: { reason: PauseReason; by: string | null },
): Promise<Pause | undefined> =>
  tx.maybe(sql`update job_pauses set resumed_at = greatest(paused_at, ${clock.now()}), resumed_by = ${by}
    where resumed_at is null and reason = ${reason} returning ${columns}`)
