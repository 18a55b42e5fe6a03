/**
 * While the product runs, whatever it writes reaches the backups within seconds: PostgreSQL's log, uploaded files, and the list of
 * erasures. Of several servers, the one that holds the slot does it. The slot also makes PostgreSQL keep the log that has not been
 * sent yet.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { autocommit, transact } from '../../kit/server/db.ts'
import { during, jobLimits, workOf } from '../../kit/server/limits.ts'
import { allBases, newFollowed, segmentBytesOf, type Source, takeBase } from './bases.ts'
import { Erasures } from './erasures.ts'
import { FileCopies } from './files.ts'
import { tidyUp } from './keeping.ts'
import { type LogWriter, logWriter, writeUntil } from './log.ts'
import { assertOurs, RefusedPlace } from './ownership.ts'
import * as queries from './queries.ts'
import {
  connectForReplication,
  cutOff,
  type LogStream,
  lsnOf,
  processOf,
  type Replication,
  streamLog,
} from './replication.ts'
import type { Vault } from './vault.ts'

const every = {
  flushMs: 1_000,
  markMs: 3_000,
  recordMs: 15_000,
  copyMs: 2_000,
  baseLookMs: 600_000,
  baseAgainMs: 60_000,
  baseHours: 24,
  tidyHours: 24,
  tryAgainMs: 5_000,
  refusedMs: 60_000,
}

/** Within this time PostgreSQL sends what was committed. */
const lastMs = 200

export type FollowOptions = {
  vault: Vault
  source: Source
  keepDays: number
  onError: (error: unknown) => void
}

let followsSinceMs: number | undefined

/** How long ago this server was told to send backups, whether or not it succeeded; null if it was not told to. */
export const followsForSeconds = (): number | null =>
  followsSinceMs === undefined ? null : (performance.now() - followsSinceMs) / 1000

let refusal: string | null = null

/** Why this server sends no backups, if the place refuses to be written to until a person fixes it. */
export const placeRefusal = (): string | null => refusal

/** Returns a function that stops it, after everything written so far has been sent. */
export const followDatabase = (options: FollowOptions): (() => Promise<void>) => {
  const stopping = new AbortController()
  const { signal } = stopping
  followsSinceMs = performance.now()
  const chores: Chores = { tidiedMs: -Infinity, told: new Set() }
  const run = async () => {
    while (!signal.aborted) {
      // While the place cannot be reached, PostgreSQL keeps its log, up to a limit.
      let restMs = every.tryAgainMs
      await followOnce(options, chores, signal).catch((error: unknown) => {
        if (error instanceof RefusedPlace) {
          restMs = every.refusedMs
          refusal = error.message
        }
        options.onError(error)
      })
      await rest(restMs, signal)
    }
  }
  // Has limits of its own, so that it neither waits behind the writes of a busy hour nor takes their connections.
  const running = during(workOf('jobs', jobLimits), run)
  return async () => {
    stopping.abort()
    await running
    followsSinceMs = undefined
    refusal = null
  }
}

const rest = (ms: number, signal: AbortSignal) => pause(ms, undefined, { signal }).catch(() => undefined)

/** Runs the work again and again until it is stopped. Failures are reported and do not end it. */
const repeatedly = async (
  ms: number,
  work: () => Promise<unknown>,
  signal: AbortSignal,
  onError: (e: unknown) => void,
  afterFailureMs = ms,
) => {
  while (!signal.aborted) {
    let restMs = ms
    await work().catch((error: unknown) => {
      restMs = afterFailureMs
      // Work that was cut off by the end has not failed.
      if (!signal.aborted) onError(error)
    })
    await rest(restMs, signal)
  }
}

/**
 * Retries what the place did not accept, as long as we hold the slot. Another server that holds it would write files with the same
 * names, and longer ones.
 */
const insistent = (
  vault: Vault,
  isOurs: () => Promise<boolean>,
  signal: AbortSignal,
  onError: (error: unknown) => void,
): Vault => {
  const write: Vault['write'] = async (name, content) => {
    for (;;) {
      try {
        return await vault.write(name, content)
      } catch (error) {
        await rest(every.tryAgainMs, signal)
        if (signal.aborted || !(await isOurs().catch(() => false))) throw error
        onError(error)
      }
    }
  }
  return { ...vault, write }
}

const timelineOf = (slot: string) => Number(/^fieldtest_backup_(\d+)_/.exec(slot)?.[1])

const dropSlot = ({ client }: Replication, { name }: queries.Slot) => client.query(`DROP_REPLICATION_SLOT "${name}"`)

/**
 * Takes our slot, or creates one if none continues without a gap. Returns null while another server holds the slot. Only one server
 * at a time may do this: otherwise two slots would be created, and PostgreSQL would keep its log for the one that nobody follows.
 */
export const takeSlot = (replication: Replication, timeline: number): Promise<queries.Slot | null> =>
  transact(async tx => {
    await queries.holdSlots(tx)
    const slots = await queries.backupSlots(tx)
    if (slots.some(({ active }) => active)) return null
    const ours = slots.find(
      ({ name, lost, restartLsn }) => !lost && restartLsn !== null && timelineOf(name) === timeline,
    )
    for (const slot of slots) if (slot.name !== ours?.name) await dropSlot(replication, slot)
    if (ours) return ours
    const { databaseId } = await queries.aboutServer(tx)
    await replication.client.query(
      `CREATE_REPLICATION_SLOT "${newFollowed(timeline, databaseId)}" PHYSICAL RESERVE_WAL`,
    )
    return (await queries.backupSlots(tx))[0] ?? null
  })

/** Drops all idle slots that are ours or nobody's, except `kept`. */
export const dropIdle = async ({ replicationUrl }: Source, kept?: string): Promise<void> => {
  const isIdle = ({ name, active }: queries.Slot) => !active && name !== kept
  if (!(await queries.backupSlots(autocommit)).some(isIdle)) return
  const replication = await connectForReplication(replicationUrl)
  try {
    await transact(async tx => {
      await queries.holdSlots(tx)
      for (const slot of (await queries.backupSlots(tx)).filter(isIdle)) await dropSlot(replication, slot)
    })
  } finally {
    await cutOff(replication)
  }
}

const followOnce = async (options: FollowOptions, chores: Chores, outer: AbortSignal) => {
  const { vault, source, onError } = options
  await assertOurs(vault)
  refusal = null
  const replication = await connectForReplication(source.replicationUrl)
  const ended = new AbortController()
  const signal = AbortSignal.any([outer, ended.signal])
  try {
    const { timeline } = await replication.identify()
    const slot = await takeSlot(replication, timeline)
    if (!slot) return
    const series = { name: slot.name, hasBase: false }
    const insisting = insistent(
      vault,
      () => queries.isFollowedBy(autocommit, slot.name, processOf(replication)),
      outer,
      onError,
    )
    const following = followLog(replication, insisting, slot, marksOf(vault, series, onError), outer, onError)
    const files = new FileCopies(vault, onError)
    const erasures = new Erasures(vault)
    const others = [
      repeatedly(every.copyMs, () => files.copyNew(), signal, onError),
      repeatedly(every.copyMs, () => erasures.noteNew(), signal, onError),
      repeatedly(
        every.baseLookMs,
        () => lookAfterBases(options, series, chores, signal),
        signal,
        onError,
        every.baseAgainMs,
      ),
    ]
    try {
      await following
    } finally {
      ended.abort()
      await Promise.all(others)
    }
  } finally {
    await cutOff(replication)
  }
}

/** An unbroken stretch of log is of no use until it has a base backup. */
type Series = { name: string; hasBase: boolean }

/** State of this server, whichever series it follows. */
type Chores = { tidiedMs: number; told: Set<string> }

const lookAfterBases = async (options: FollowOptions, series: Series, chores: Chores, signal: AbortSignal) => {
  const { vault, source, keepDays } = options
  // A server of another release may have left a slot, and PostgreSQL would keep its log for that forever.
  await dropIdle(source, series.name).catch(options.onError)
  await baseWhenDue(options, series, chores, signal)
  // Runs even if a command took the newest base backup, because commands delete only what they were told to.
  if (performance.now() < chores.tidiedMs + every.tidyHours * 3_600_000) return
  await assertOurs(vault)
  const { at } = await queries.aboutServer(autocommit)
  await tidyUp(vault, { keepDays, series: series.name, nowMs: Date.parse(at) })
  chores.tidiedMs = performance.now()
}

const baseWhenDue = async (
  { vault, source, onError }: FollowOptions,
  series: Series,
  { told }: Chores,
  signal: AbortSignal,
) => {
  const tellOnce = (error: Error) => {
    if (!told.has(error.message)) onError(error)
    told.add(error.message)
  }
  const newest = (await allBases(vault, tellOnce)).findLast(base => base.series === series.name)
  if (newest) series.hasBase = true
  const { at } = await queries.aboutServer(autocommit)
  if (newest && Date.parse(at) - Date.parse(newest.startedAt) < every.baseHours * 3_600_000) return
  await takeBase(vault, source, { series: series.name, signal })
  series.hasBase = true
}

/**
 * Runs until it is stopped, the connection ends, or `reached` returns true. `reached` is called every second with the position up
 * to which the log is safe in the vault.
 */
const followLog = async (
  replication: Replication,
  vault: Vault,
  slot: queries.Slot,
  reached: (lsn: bigint) => Promise<boolean>,
  signal: AbortSignal,
  onError: (error: unknown) => void,
) => {
  const segmentBytes = await segmentBytesOf(replication)
  const timeline = timelineOf(slot.name)
  const from = (lsnOf(slot.restartLsn ?? '0/0') / BigInt(segmentBytes)) * BigInt(segmentBytes)
  const writer = await logWriter(vault, slot.name, { timeline, segmentBytes, from }, onError)
  try {
    const stream = await streamLog(replication, { slot: slot.name, timeline, from })
    await writeLog(writer, stream, reached, signal)
  } finally {
    await writer.end()
  }
}

const writeLog = async (
  writer: LogWriter,
  stream: LogStream,
  reached: (lsn: bigint) => Promise<boolean>,
  signal: AbortSignal,
) => {
  const nextTurn = () => rest(every.flushMs, signal).then(() => null)
  let turn = nextTurn()
  let piece = stream.pieces.next()
  for (;;) {
    const got = await Promise.race([turn, piece])
    if (got === null) {
      const lsn = await writer.flush()
      stream.confirm(lsn)
      // Includes what PostgreSQL has sent meanwhile.
      if (signal.aborted && (await Promise.race([piece, pause(lastMs, null)])) === null) return
      if (!signal.aborted && (await reached(lsn))) return
      turn = nextTurn()
    } else if (got.done) return
    else {
      await writer.add(got.value)
      piece = stream.pieces.next()
    }
  }
}

/** For a database that no server follows any more: sends what was written after the last server had died. */
export const shipRest = async (
  vault: Vault,
  { replicationUrl }: Source,
  slot: queries.Slot,
  onError: (error: Error) => void,
): Promise<void> => {
  const end = await queries.endOfLog(autocommit)
  const replication = await connectForReplication(replicationUrl)
  try {
    const reached = async (lsn: bigint) => {
      const enough = lsn >= lsnOf(end.lsn)
      if (enough) await writeUntil(vault, slot.name, end.at)
      return enough
    }
    await followLog(replication, vault, slot, reached, new AbortController().signal, error => onError(error as Error))
  } finally {
    await cutOff(replication)
  }
}

/** Runs when nobody is to follow any more, so that PostgreSQL stops keeping its log. */
export const forgetSlots = (source: Source): Promise<void> => dropIdle(source)

/**
 * Asks how far PostgreSQL's log is; once the log up to there has been sent, so has everything before that moment. That is recorded
 * only if a base backup leads there. A failure is reported without stopping the log, since the next mark covers more.
 */
const marksOf = (vault: Vault, series: Series, onError: (error: unknown) => void) => {
  let asked: { at: string; lsn: string } | null = null
  let [markedMs, recordedMs] = [-Infinity, -Infinity]
  const mark = async (lsn: bigint) => {
    asked ??= await queries.endOfLog(autocommit)
    if (lsn < lsnOf(asked.lsn)) return
    const { at } = asked
    asked = null
    await writeUntil(vault, series.name, at)
    markedMs = performance.now()
    if (series.hasBase && markedMs >= recordedMs + every.recordMs) {
      await queries.recordArchived(autocommit, at)
      recordedMs = markedMs
    }
  }
  return async (lsn: bigint): Promise<false> => {
    if (performance.now() < markedMs + every.markMs) return false
    await mark(lsn).catch((error: unknown) => {
      markedMs = performance.now()
      onError(error)
    })
    return false
  }
}
