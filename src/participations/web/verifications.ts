/**
 * Verifying pays at once and cannot be undone on the server, so the call is delayed by `undoMs`, during which the reader can undo
 * it. No decision is lost meanwhile (decision 022): a waiting one is sent when the page is hidden or left, and stays in local
 * storage until the server has answered. If no answer came, the next page sends it again with the same idempotency key.
 */
import { clock } from '../../kit/clock.ts'
import { ApiError, isUncertain, messageOf } from '../../kit/web/apiError.ts'
import { randomId } from '../../kit/web/randomId.ts'
import { session } from '../../kit/web/session.ts'
import { notify } from '../../kit/web/ui/toast.tsx'
import { counted } from '../../kit/words.ts'
import type { CampaignTester, VerifyResult } from '../contract.ts'
import { api, refreshTests } from './calls.ts'
import { forget, keep, unsentOf, type Verification } from './unsent.ts'

export const undoMs = 5000
/** After this long, the page that decided has died without sending it. */
const abandonedMs = 3 * undoMs

type Step = 'WAITING' | 'SENDING' | 'FAILED'
export type Verifying = Verification & {
  step: Step
  timer: ReturnType<typeof setTimeout> | undefined
  /** When it is sent, on the clock of `performance.now()`; null while no time runs. */
  sendsAt: number | null
}

let all: readonly Verifying[] = []
/** Nothing is sent while the undo button has the focus (WCAG 2.2.1). */
let held = false
const listeners = new Set<() => void>()

const become = (next: readonly Verifying[]) => {
  all = next
  for (const listener of listeners) listener()
}

const change = (key: string, changed: Partial<Verifying>) =>
  become(all.map(one => (one.key === key ? { ...one, ...changed } : one)))

const drop = (of: Verification) => {
  forget(of)
  become(all.filter(({ key }) => key !== of.key))
}

/** "Tester 3", or "9 testers". */
export const whom = ({ aliases }: Pick<Verification, 'aliases'>): string =>
  aliases.length === 1 ? aliases[0]! : counted(aliases.length, 'tester')

const call = async ({ ids, proofsSubmittedAt, key: idempotencyKey }: Verification): Promise<VerifyResult[]> => {
  const [id] = ids
  const seen = proofsSubmittedAt.length === ids.length
  if (ids.length > 1 || !id) {
    const body = { ids, ...(seen && { proofsSubmittedAt }) }
    return (await api.verifyAll({ body, idempotencyKey, keepalive: true })).results
  }
  const body = seen ? { proofSubmittedAt: proofsSubmittedAt[0] } : {}
  await api.verify({ params: { id }, body, idempotencyKey, keepalive: true })
  return [{ id, status: 'VERIFIED', message: null }]
}

const tellRefused = ({ ids, aliases }: Verification, results: readonly VerifyResult[]) => {
  for (const { id, message } of results.filter(({ status }) => status === 'REFUSED'))
    notify.error(`${aliases[ids.indexOf(id)]} was not verified: ${message}`)
}

/** A refusal is final. After any other failure the call may or may not have been carried out, so it is kept. */
const onFailure = (of: Verification, error: unknown) => {
  if (isUncertain(error)) {
    change(of.key, { step: 'FAILED' })
    return
  }
  drop(of)
  const why = error instanceof ApiError && error.code === 'STEP_UP_REQUIRED' ? 'it was not confirmed' : messageOf(error)
  notify.error(`${whom(of)} ${of.ids.length > 1 ? 'were' : 'was'} not verified: ${why}`)
}

const send = async (of: Verifying): Promise<void> => {
  if (of.step === 'SENDING' || session.user()?.id !== of.reviewerId) return
  clearTimeout(of.timer)
  change(of.key, { step: 'SENDING', timer: undefined, sendsAt: null })
  try {
    const results = await call(of)
    tellRefused(of, results)
    // Updates the roster first, so that a verified test is not shown as waiting in between.
    await refreshTests().catch(() => undefined)
    drop(of)
  } catch (error) {
    onFailure(of, error)
    void refreshTests()
  }
}

const sendLater = (of: Verifying) => {
  clearTimeout(of.timer)
  change(of.key, { timer: setTimeout(() => void send(of), undoMs), sendsAt: performance.now() + undoMs })
}

const stop = (of: Verifying) => {
  clearTimeout(of.timer)
  change(of.key, { timer: undefined, sendsAt: null })
}

const waiting = () => all.filter(({ step }) => step === 'WAITING')

const sendAll = () => {
  for (const one of waiting()) void send(one)
}

addEventListener('pagehide', () => {
  for (const { step: _step, timer: _timer, sendsAt: _sendsAt, ...one } of all) keep({ ...one, left: true })
  sendAll()
})
document.addEventListener('visibilitychange', () => {
  // A phone may kill a hidden page without any further event.
  if (document.visibilityState === 'hidden') sendAll()
})

// What could not be sent while the network was gone.
addEventListener('online', () => verifications.retry())

let reviewer = session.user()?.id

/** No decision is sent in another user's name: unsent ones wait in storage for the user who made them. */
session.subscribe(() => {
  if (session.user()?.id === reviewer) return
  reviewer = session.user()?.id
  for (const { timer } of all) clearTimeout(timer)
  become([])
})

type Decidable = Pick<CampaignTester, 'id' | 'alias'> & {
  proof: Pick<NonNullable<CampaignTester['proof']>, 'submittedAt'> | null
}
type Decided = { campaignId: string; testers: readonly Decidable[] }

export const verifications = {
  subscribe: (listener: () => void) => {
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
    }
  },
  all: (): readonly Verifying[] => all,

  decide: ({ campaignId, testers }: Decided): void => {
    const verification: Verification = {
      key: randomId(),
      reviewerId: session.user()?.id ?? '',
      campaignId,
      ids: testers.map(({ id }) => id),
      aliases: testers.map(({ alias }) => alias),
      proofsSubmittedAt: testers.flatMap(({ proof }) => proof?.submittedAt ?? []),
      decidedAt: clock.nowMs(),
      left: false,
    }
    keep(verification)
    const verifying: Verifying = { ...verification, step: 'WAITING', timer: undefined, sendsAt: null }
    become([...all, verifying])
    if (!held) sendLater(verifying)
  },

  /** Removes the last waiting one and returns it. */
  undo: (): Verification | undefined => {
    const last = waiting().at(-1)
    if (!last) return undefined
    clearTimeout(last.timer)
    drop(last)
    return last
  },

  /** The reader has left the desk, where they could have been undone. */
  sendAll,

  retry: (): void => {
    for (const one of all.filter(({ step }) => step === 'FAILED')) void send(one)
  },

  hold: (holding: boolean): void => {
    if (held === holding) return
    held = holding
    for (const one of waiting()) {
      if (held) stop(one)
      else sendLater(one)
    }
  },

  /**
   * Sends what an earlier page of this browser could not send. Looks again later at those that can still be undone in another
   * tab.
   */
  resume: (): void => {
    verifications.retry()
    const now = clock.nowMs()
    for (const one of unsentOf(session.user()?.id)) {
      if (all.some(({ key }) => key === one.key)) continue
      const abandonedIn = one.left ? 0 : one.decidedAt + abandonedMs - now
      if (abandonedIn > 0) {
        setTimeout(verifications.resume, Math.min(abandonedIn, abandonedMs))
        continue
      }
      const verifying: Verifying = { ...one, step: 'WAITING', timer: undefined, sendsAt: null }
      become([...all, verifying])
      void send(verifying)
    }
  },
}
