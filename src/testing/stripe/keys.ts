/**
 * Idempotency keys. Keys of v1 are kept for 24 hours, with errors and 500s too; a request with other parameters is refused with
 * 400, and one while the first is under way with 409. Keys of v2 are kept for 30 days, and failed requests are carried out anew.
 */
import { keyInUse, otherParameters } from './refusals.ts'
import { dayMs, type State } from './state.ts'

export type Answer = { status: number; body: string }

type Kept = { request: string; at: number; answer: Answer | undefined }

export type Claim = { replayed: Answer } | { keep: (answer: Answer) => void; release: () => void }

export const keysOf = (state: State) => {
  const kept = new Map<string, Kept>()

  /** Throws Stripe's refusal if the key cannot be used for this request. */
  const claim = (key: string, request: string, version: 'v1' | 'v2'): Claim => {
    const days = version === 'v1' ? state.keyDays : 30
    const known = kept.get(key)
    const isForgotten = known !== undefined && known.answer !== undefined && state.nowMs() - known.at >= days * dayMs
    if (known && !isForgotten) {
      if (known.request !== request) throw otherParameters(key)
      if (!known.answer) throw keyInUse(key)
      return { replayed: known.answer }
    }
    const own: Kept = { request, at: state.nowMs(), answer: undefined }
    kept.set(key, own)
    return {
      keep: answer => {
        if (version === 'v2' && answer.status >= 400) kept.delete(key)
        else own.answer = answer
      },
      release: () => void kept.delete(key),
    }
  }
  return { claim }
}
