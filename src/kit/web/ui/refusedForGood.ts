import { useEffect, useRef } from 'react'
import { ApiError } from '../apiError.ts'
import { refreshShown } from '../query.ts'

const aboutTheThing = [403, 404, 409]
const aboutTheRequest = [400, 422]

/** The user can do something elsewhere, or wait, after which the same press succeeds. */
const passing: ReadonlySet<ApiError['code']> = new Set([
  'STEP_UP_REQUIRED',
  'SECOND_FACTOR_SETUP_REQUIRED',
  'EMAIL_NOT_CONFIRMED',
  'LIMIT_REACHED',
  'PAYOUT_METHOD_PAUSED',
  'TOO_EARLY',
])

/** Whether pressing again can only be refused again. A form's user can correct what is refused at a field. */
const isFinal = (error: unknown, isForm: boolean): boolean => {
  if (!(error instanceof ApiError) || passing.has(error.code)) return false
  if (isForm) return aboutTheThing.includes(error.status) && Object.keys(error.fields).length === 0
  return aboutTheThing.includes(error.status) || aboutTheRequest.includes(error.status)
}

/**
 * For a dialog that has sent its request: whether it was refused for good, so that all that is left is to close it. Most
 * often the thing has changed meanwhile, so `closed` reloads what is on screen. The focus goes to the button of `ref`.
 */
export const useRefusedForGood = (error: unknown, { isForm }: { isForm: boolean }) => {
  const over = isFinal(error, isForm)
  const ref = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (over) ref.current?.focus()
  }, [over])
  return { over, ref, closed: () => over && void refreshShown() }
}
