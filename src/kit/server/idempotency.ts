/**
 * Idempotency keys (product.md §4, decision 012). The key is claimed in the transaction of its effect: after a crash, both
 * are there or neither is. A repeated or concurrent request gets the first one's reply. The reply is stored after the
 * commit, so that no money row stays locked meanwhile; if the process dies in between, the next request with the key
 * builds the reply. A payment provider's refusal is kept and given again; one by our own rules stores no key.
 */
import { createHash } from 'node:crypto'
import { clock, daysAfter } from '../clock.ts'
import { DomainError, type ErrorBody } from '../errors.ts'
import { autocommit, sql, transact, type Tx } from './db.ts'
import { scheduled } from './jobs.ts'

export type OnceOnly<T, L> = {
  userId: string
  /** Null when the caller sent none: then every request takes effect. */
  key: string | null
  /** The call and its input; the same key with another call or input is refused with 422. */
  call: string
  asked: unknown
  /** The id of what the request acts on or creates. */
  subjectId: string
  /** Of this request, for a refusal that is kept. */
  requestId?: string | undefined
  /** What the effect looks at, and locks for it: asked in the round trip in which the key is claimed. */
  load?: (tx: Tx) => Promise<L>
  /**
   * The effect; takes its row locks last. A provider's refusal is returned: what was written is committed, and the
   * refusal is kept under the key and thrown. Any other refusal is thrown, and rolls everything back.
   */
  effect: (tx: Tx, loaded: L) => Promise<Refusal | void>
  /** Builds the reply from the subject as it is after the effect. */
  answer: (subjectId: string, tx: Tx) => Promise<T>
  /** The answer asks `tx`, and nothing else: then it shares the round trip of the commit. */
  answeredWithCommit?: boolean
}

export const transactOnce = async <T, L = undefined>(once: OnceOnly<T, L>): Promise<T> => {
  const { key } = once
  const { claim, reply } = await transact(
    tx => (key === null ? withoutKey(tx, once) : withKey(tx, once, key)),
    async (tx, made) => ({
      claim: made,
      reply: once.answeredWithCommit && isOpen(made) ? await once.answer(made.subjectId, tx) : undefined,
    }),
  )
  if (claim.refusal !== null) {
    const { code, message, ...more } = claim.refusal
    throw new DomainError(code, message, more)
  }
  if (claim.reply !== null) return claim.reply as T
  const answer = reply ?? (await once.answer(claim.subjectId, autocommit))
  return key === null ? answer : keepReply(once, key, answer)
}

const isOpen = ({ refusal, reply }: Claim) => refusal === null && reply === null

/** Undefined where the effect asks for nothing. */
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
  return refused ? { ...claim, refusal: await keepRefusal(tx, once, key, refused) } : claim
}

/** What the storing of keys looks at. */
type Keyed = Omit<OnceOnly<unknown, never>, 'effect' | 'load' | 'answer'>

/** A payment provider's. */
type Refusal = DomainError
type KeptRefusal = Omit<ErrorBody, 'statusCode'>
type Claim = { mine: boolean; subjectId: string; reply: unknown; refusal: KeptRefusal | null }

/** Claims the key, waiting for a transaction that holds it. */
const claimKey = async (tx: Tx, { userId, call, asked, subjectId }: Keyed, key: string): Promise<Claim> => {
  const requestHash = createHash('sha256')
    .update(JSON.stringify([call, asked]))
    .digest()
  const taken = await tx.run(sql`
    insert into idempotency_keys (user_id, key, request_hash, subject_id, created_at)
    values (${userId}, ${key}, ${requestHash}, ${subjectId}, ${clock.now()}) on conflict (user_id, key) do nothing`)
  if (taken === 1) return { mine: true, subjectId, reply: null, refusal: null }
  const earlier = await tx.one<Omit<Claim, 'mine'> & { requestHash: Buffer }>(
    sql`select request_hash as "requestHash", subject_id as "subjectId", reply, refusal
      from idempotency_keys where user_id = ${userId} and key = ${key}`,
    'Idempotency key',
  )
  if (earlier.requestHash.equals(requestHash)) return { mine: false, ...earlier }
  throw new DomainError('IDEMPOTENCY_KEY_REUSED', 'This Idempotency-Key was used for another request. Use a new one.')
}

const keptOf = ({ requestId }: Keyed, { code, message, fields }: Refusal): KeptRefusal => ({
  code,
  message,
  ...(fields && { fields }),
  ...(requestId !== undefined && { requestId }),
})

const keepRefusal = async (tx: Tx, once: Keyed, key: string, refused: Refusal): Promise<KeptRefusal> => {
  const kept = keptOf(once, refused)
  await tx.run(sql`update idempotency_keys set refusal = ${JSON.stringify(kept)}::jsonb
    where user_id = ${once.userId} and key = ${key}`)
  return kept
}

/** The first reply stored is returned to everybody. */
const keepReply = async <T>({ userId }: Keyed, key: string, reply: T): Promise<T> => {
  const kept = await autocommit.one<{ reply: T }>(
    sql`update idempotency_keys set reply = coalesce(reply, ${JSON.stringify(reply)}::jsonb)
      where user_id = ${userId} and key = ${key} returning reply`,
    'Idempotency key',
  )
  return kept.reply
}

const daysKept = 30

export const forgetOldKeys = scheduled('idempotency.forget-old-keys', '17 * * * *', async () => {
  await autocommit.run(sql`delete from idempotency_keys where created_at < ${daysAfter(clock.now(), -daysKept)}`)
})
