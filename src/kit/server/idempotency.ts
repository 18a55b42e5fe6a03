/**
 * Idempotency keys (product.md §4, decision 012). The key is claimed in the transaction of its effect: after a crash, both are
 * there or neither is. A repeated or concurrent request gets the first one's reply. The reply is stored after the commit, so no
 * money row stays locked meanwhile; if the process dies in between, the next request with the key builds the reply. A payment
 * provider's refusal is kept and repeated; one by our own rules stores no key. Keys are kept for 48 hours; after that, the same
 * key belongs to a new request. Answers that carry tokens or Play addresses must not come here.
 */
import { createHash } from 'node:crypto'
import pg from 'pg'
import { clock, hoursAfter, type Instant } from '../clock.ts'
import { DomainError, type ErrorBody } from '../errors.ts'
import { autocommit, sql, transact, type Tx, violated } from './db.ts'
import { grouped } from './grouped.ts'
import { deleteInSteps } from './deleting.ts'
import { scheduled } from './jobs.ts'
import { currentWork, isOver } from './limits.ts'
import { isConnectionLoss, OutcomeUnknown } from './lost.ts'

/** What `claim_key` has to know besides the user, the subject and the time. */
export type KeyClaim = { key: string; requestHash: Buffer }

export type OnceOnly<T, L> = {
  userId: string
  /** Null if the caller sent none: then every request takes effect. */
  key: string | null
  /** The call and its input; the same key with another call or input is refused with 422. */
  call: string
  asked: unknown
  /** The id of what the request acts on or creates. */
  subjectId: string
  /** This request's id, for a refusal that is kept. */
  requestId?: string | undefined
  /** What the effect reads and locks; sent in the same round trip as the claim of the key. */
  load?: (tx: Tx) => Promise<L>
  /**
   * The effect; takes its row locks last. A provider's refusal is returned: what was written is committed, and the
   * refusal is kept under the key and thrown. Any other refusal is thrown, and rolls everything back.
   */
  effect: (tx: Tx, loaded: L) => Promise<Refusal | void>
  /**
   * The effect in a single statement that also claims the key (`claim_key`), for an effect that many want at once: nothing stays
   * locked from one round trip to the next. Undefined if it changed nothing; then a transaction finds out why.
   */
  atOnce?: (claim: KeyClaim) => Promise<T | undefined>
  /**
   * What is done outside any transaction, after the effect is committed and before it is answered. A repeated request does it as
   * well while the answer is not known, so it has to be harmless. A refusal is kept as above.
   */
  afterwards?: (subjectId: string) => Promise<Refusal | undefined>
  /** Builds the reply from the subject as it is after the effect. */
  answer: (subjectId: string, tx: Tx) => Promise<T>
  /** True if the answer reads through `tx` only: then it shares the round trip of the commit. */
  answeredWithCommit?: boolean
}

/** Fits into the time of a request; after that it is the caller who tries again. */
const tries = 4

/**
 * If the connection broke, nobody knows whether the effect took place. With a key, another try finds out: either the key is there
 * and its answer is given, or neither key nor effect is, and the request is carried out.
 */
export const transactOnce = async <T, L = undefined>(once: OnceOnly<T, L>): Promise<T> => {
  for (let attempt = 1; ; attempt++) {
    try {
      return await tryOnce(once)
    } catch (error) {
      const mayBeDone = error instanceof OutcomeUnknown || isConnectionLoss(error)
      if (!mayBeDone || once.key === null || attempt === tries || isOver(currentWork())) throw error
    }
  }
}

const tryOnce = async <T, L>(once: OnceOnly<T, L>): Promise<T> => {
  const { key } = once
  if (key !== null) {
    const done = await doneAtOnce(once, key)
    if (done !== undefined) return keepReply(once, key, done)
  }
  const { claim, reply } = await transact(
    tx => (key === null ? withoutKey(tx, once) : withKey(tx, once, key)),
    async (tx, made) => ({
      claim: made,
      reply: once.answeredWithCommit && isOpen(made) ? await once.answer(made.subjectId, tx) : undefined,
    }),
  )
  if (claim.refusal !== null) throw refusalOf(claim.refusal)
  if (claim.reply !== null) return claim.reply as T
  const refused = await once.afterwards?.(claim.subjectId)
  if (refused && key === null) throw refusalOf(keptOf(once, refused))
  if (refused && key !== null) {
    const kept = await keepRefusal(autocommit, once, key, refused)
    if (kept.refusal !== null) throw refusalOf(kept.refusal)
    return kept.reply as T
  }
  const answer = reply ?? (await once.answer(claim.subjectId, autocommit))
  return key === null ? answer : keepReply(once, key, answer)
}

/** A request that finds the key claimed, or the effect made, by another one gets its answer in a transaction. */
const doneAtOnce = async <T, L>(once: OnceOnly<T, L>, key: string): Promise<T | undefined> => {
  try {
    return await once.atOnce?.({ key, requestHash: hashOf(once) })
  } catch (error) {
    if (violated(error) === undefined && !isBeingClaimed(error)) throw error
    return undefined
  }
}

/** Another transaction is claiming the key; a wait for any other lock ends with the same code. */
const isBeingClaimed = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === '55P03' && error.where?.includes('claim_key') === true

const refusalOf = ({ code, message, ...more }: KeptRefusal) => new DomainError(code, message, more)

const isOpen = ({ refusal, reply }: Claim) => refusal === null && reply === null

/** Undefined if the effect loads nothing. */
const loadOf = <L>({ load }: OnceOnly<unknown, L>, tx: Tx) => load?.(tx) ?? Promise.resolve(undefined as L)

const withoutKey = async <L>(tx: Tx, once: OnceOnly<unknown, L>): Promise<Claim> => {
  const refused = await once.effect(tx, await loadOf(once, tx))
  return { mine: true, subjectId: once.subjectId, reply: null, refusal: refused ? keptOf(once, refused) : null }
}

const withKey = async <L>(tx: Tx, once: OnceOnly<unknown, L>, key: string): Promise<Claim> => {
  const [claimed, loaded] = await Promise.allSettled([claimKey(tx, once, key), loadOf(once, tx)])
  if (claimed.status === 'rejected') throw claimed.reason
  const claim = claimed.value
  if (!claim.mine) return claim
  if (loaded.status === 'rejected') throw loaded.reason
  const refused = await once.effect(tx, loaded.value)
  return refused ? { ...claim, ...(await keepRefusal(tx, once, key, refused)) } : claim
}

/** What storing a key needs to know. */
type Keyed = Omit<OnceOnly<unknown, never>, 'effect' | 'atOnce' | 'afterwards' | 'load' | 'answer'>

/** A payment provider's refusal. */
type Refusal = DomainError
type KeptRefusal = Omit<ErrorBody, 'statusCode'>
type Claim = { mine: boolean; subjectId: string; reply: unknown; refusal: KeptRefusal | null }

type Earlier = Omit<Claim, 'mine'> & { requestHash: Buffer; createdAt: Instant }

const hashOf = ({ call, asked }: Pick<Keyed, 'call' | 'asked'>): Buffer =>
  createHash('sha256')
    .update(JSON.stringify([call, asked]))
    .digest()

/** Claims the key, waiting for a transaction that holds it. */
const claimKey = async (tx: Tx, claimed: Keyed, key: string): Promise<Claim> => {
  const { userId, subjectId } = claimed
  const requestHash = hashOf(claimed)
  const taken = await tx.run(sql`
    insert into idempotency_keys (user_id, key, request_hash, subject_id, created_at)
    values (${userId}, ${key}, ${requestHash}, ${subjectId}, ${clock.now()}) on conflict (user_id, key) do nothing`)
  const mine: Claim = { mine: true, subjectId, reply: null, refusal: null }
  if (taken === 1) return mine
  const {
    createdAt,
    requestHash: earlierHash,
    ...earlier
  } = await tx.one<Earlier>(
    sql`select request_hash as "requestHash", subject_id as "subjectId", reply, refusal, created_at as "createdAt"
      from idempotency_keys where user_id = ${userId} and key = ${key}`,
    'Idempotency key',
  )
  if (createdAt <= keptSince()) {
    // Of several requests that find it too old, the first takes the key, and the others get its answer.
    await tx.run(
      sql`delete from idempotency_keys where user_id = ${userId} and key = ${key} and created_at = ${createdAt}`,
    )
    return claimKey(tx, claimed, key)
  }
  if (earlierHash.equals(requestHash)) return { mine: false, ...earlier }
  throw new DomainError(
    'IDEMPOTENCY_KEY_REUSED',
    'This Idempotency-Key was already used for a different request. Use a new one.',
  )
}

const keptOf = ({ requestId }: Keyed, { code, message, fields }: Refusal): KeptRefusal => ({
  code,
  message,
  ...(fields && { fields }),
  ...(requestId !== undefined && { requestId }),
})

/**
 * What all requests with the key get: whichever was answered first decides. One may stop waiting for a result that another then
 * sees refused.
 */
type Kept = { reply: unknown; refusal: KeptRefusal | null }

const keepRefusal = (tx: Tx, once: Keyed, key: string, refused: Refusal): Promise<Kept> =>
  tx.one(
    sql`update idempotency_keys
      set refusal = case when reply is null then coalesce(refusal, ${JSON.stringify(keptOf(once, refused))}::jsonb) end
      where user_id = ${once.userId} and key = ${key} returning reply, refusal`,
    'Idempotency key',
  )

type Answered = { id: string; userId: string; key: string; reply: string }

const keep = (tx: Tx, { userId, key, reply }: Answered): Promise<Kept> =>
  tx.one(
    sql`update idempotency_keys set reply = case when refusal is null then coalesce(reply, ${reply}::jsonb) end
      where user_id = ${userId} and key = ${key} returning reply, refusal`,
    'Idempotency key',
  )

/** While many requests end at once, several answers are stored by one statement (decision 072). */
const keepTogether = grouped<Answered, Kept & { id: string }>({
  statement: all => sql`with answered as (
      select * from unnest(${all.map(({ userId }) => userId)}::uuid[], ${all.map(({ key }) => key)}::text[],
        ${all.map(({ reply }) => reply)}::text[]) as a (user_id, key, reply)
    ), free as materialized (
      select a.* from answered a cross join lateral (select from idempotency_keys
        where user_id = a.user_id and key = a.key for no key update skip locked) k
    )
    update idempotency_keys k set reply = case when k.refusal is null then coalesce(k.reply, free.reply::jsonb) end
      from free where k.user_id = free.user_id and k.key = free.key
      returning k.user_id || ' ' || k.key as id, k.reply, k.refusal`,
  subjectsOf: ({ id }) => [id],
})

/**
 * The first reply stored is returned to every request. An effect whose reply cannot be read again, because its subject is gone,
 * stores the reply in its own transaction.
 */
export const keepReply = async <T>(
  { userId }: { userId: string },
  key: string,
  reply: T,
  tx: Tx = autocommit,
): Promise<T> => {
  const answered = { id: `${userId} ${key}`, userId, key, reply: JSON.stringify(reply) }
  const single = () => keep(tx, answered)
  const kept = tx === autocommit ? await keepTogether(answered, single) : await single()
  if (kept.refusal !== null) throw refusalOf(kept.refusal)
  return kept.reply as T
}

const hoursKept = 48
const keptSince = (): Instant => hoursAfter(clock.now(), -hoursKept)

/** Few enough that no request waits long for a key that is being deleted. */
const forgottenAtOnce = 1000

export const forgetOldKeys = scheduled(
  'idempotency.forget-old-keys',
  '17 * * * *',
  async () => {
    const since = keptSince()
    // Keys with the same instant may be split between two steps.
    await deleteInSteps<Instant>(forgottenAtOnce, (from = 'epoch', limit) =>
      autocommit.one(
        sql`with old as materialized (
          select user_id, key from idempotency_keys where created_at >= ${from} and created_at <= ${since}
            order by created_at limit ${limit} for update skip locked
        ), gone as (
          delete from idempotency_keys k using old where k.user_id = old.user_id and k.key = old.key returning k.created_at)
        select count(*) as count, max(created_at) as last from gone`,
        'Deleted keys',
      ),
    )
  },
  { neverPaused: true },
)
