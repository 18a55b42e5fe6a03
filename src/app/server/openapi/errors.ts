/** The errors of each operation, and an example of each message. */
import type { Endpoint } from '../../../kit/endpoint.ts'
import { type ErrorCode, errorStatus } from '../../../kit/errors.ts'

/** The codes that follow from the endpoint's entry in the table, whatever its use case does. */
const impliedErrors = (endpoint: Endpoint): ErrorCode[] => {
  const { method, access, params, query, idempotent, stepUp } = endpoint
  return [
    ...(access === 'PUBLIC' ? [] : (['UNAUTHENTICATED'] as const)),
    ...(access === 'PUBLIC' || access === 'SIGNED_IN' ? [] : (['FORBIDDEN'] as const)),
    ...(stepUp ? (['STEP_UP_REQUIRED'] as const) : []),
    ...(needsFactor(endpoint) ? (['SECOND_FACTOR_SETUP_REQUIRED'] as const) : []),
    ...(params ? (['NOT_FOUND'] as const) : []),
    ...(method !== 'GET' || params || query ? (['INVALID_INPUT'] as const) : []),
    ...(method === 'GET' ? [] : (['PAYLOAD_TOO_LARGE', 'REQUEST_TIMEOUT', 'UNSUPPORTED_MEDIA_TYPE'] as const)),
    ...(idempotent ? (['IDEMPOTENCY_KEY_REUSED'] as const) : []),
    'TOO_MANY_REQUESTS',
    'INTERNAL',
    'UNAVAILABLE',
  ]
}

/** Production requires one from admins. */
const needsFactor = ({ access, beforeSecondFactor }: Endpoint) =>
  !beforeSecondFactor && (access === 'SIGNED_IN' || [access].flat().includes('ADMIN'))

/** Every code that an endpoint may answer with, by its HTTP status, in ascending order. */
export const errorsOf = (endpoint: Endpoint): Map<number, ErrorCode[]> => {
  const codes = new Set([...impliedErrors(endpoint), ...(endpoint.errors ?? [])])
  const byStatus = Map.groupBy(codes, code => errorStatus[code])
  return new Map([...byStatus].toSorted(([a], [b]) => a - b))
}

type ErrorWords = {
  /** When this code is answered; shown in the document. */
  when: string
  /** An example of its messages. */
  message: string
  fields?: Record<string, string>
}

/** A new code does not compile until it is described here. */
export const errorWords: Record<ErrorCode, ErrorWords> = {
  INVALID_INPUT: {
    when: 'The request is malformed, or some of its fields are invalid: `fields` says which.',
    message: 'Title is required',
    fields: { title: 'Title is required' },
  },
  UNAUTHENTICATED: { when: 'The access token is missing or no longer valid.', message: 'Sign in to continue.' },
  WRONG_CREDENTIALS: { when: 'Unknown email or wrong password.', message: 'Email or password is incorrect.' },
  SECOND_FACTOR_REQUIRED: {
    when: 'The password is correct; answer `challenge` with POST /auth/second-factor.',
    message: 'Use your second factor to sign in.',
  },
  SECOND_FACTOR_EXPIRED: {
    when: 'The challenge expired after five minutes, was already used, or had too many wrong answers.',
    message: 'This took too long, or there were too many wrong codes. Start again.',
  },
  PAYMENT_DECLINED: {
    when: 'The payment provider declined the charge.',
    message: 'The payment was declined. Insufficient funds.',
  },
  FORBIDDEN: { when: 'Not allowed for the caller’s role.', message: 'Only developers can do this.' },
  SUSPENDED: {
    when: 'The account is suspended.',
    message: 'Your account is suspended: Several accounts on one device.',
  },
  STEP_UP_REQUIRED: {
    when: 'The caller has a second factor: answer `challenge` with POST /auth/step-up, then repeat the call.',
    message: 'Use your second factor to confirm that it is you.',
  },
  SECOND_FACTOR_SETUP_REQUIRED: {
    when: 'In production, admins must set up a second factor first.',
    message: 'Admins need a second factor. Set one up to continue.',
  },
  NOT_FOUND: {
    when: 'The object does not exist, or the caller may not see it.',
    message: 'Campaign not found.',
  },
  METHOD_NOT_ALLOWED: {
    when: 'The address exists but does not accept this method; `Allow` lists those that it does.',
    message: 'This address accepts only GET, HEAD, PATCH.',
  },
  REQUEST_TIMEOUT: {
    when: 'The body did not arrive within 15 seconds, or a file arrived at less than 32 kB per second.',
    message: 'The request took too long to arrive. Send it again.',
  },
  WRONG_STATE: {
    when: 'Not possible in the current state, which the message names.',
    message: 'This campaign is a draft, so you cannot start it. You can edit, fund, or cancel it.',
  },
  EMAIL_TAKEN: {
    when: 'Another account has this email.',
    message: 'An account with this email already exists.',
    fields: { email: 'An account with this email already exists.' },
  },
  LIMIT_REACHED: {
    when: 'The caller has reached a limit.',
    message: 'You have 8 open tests, which is the limit. Finish or leave one before you join another.',
  },
  CAMPAIGN_FULL: { when: 'No seat is left.', message: 'All seats of this campaign are taken.' },
  ALREADY_JOINED: { when: 'The tester has joined before.', message: 'You have joined this campaign before.' },
  PLAY_ACCOUNT_TAKEN: {
    when: 'Another tester who is in the campaign, or has a seat held for them, uses the same Google account, which Google Play counts only once.',
    message:
      'Another tester of this campaign uses this Google account, and Google Play counts it once. Enter a Google account of your own.',
    fields: {
      playEmail:
        'Another tester of this campaign uses this Google account, and Google Play counts it once. Enter a Google account of your own.',
    },
  },
  ALREADY_CHECKED_IN: {
    when: 'The tester has already checked in today.',
    message: 'You have already checked in today. Come back tomorrow.',
  },
  TOO_EARLY: {
    when: 'The days of the test have not passed yet; the message says when they will have.',
    message: 'You can submit your proof from December 5, 2026 at 9:30 AM (UTC).',
  },
  PAYOUT_METHOD_PAUSED: {
    when: 'Withdrawals are paused because the payment method or email address was changed, the password was reset, or a payout account was set up.',
    message:
      'Your payment method changed less than 24 hours ago. To keep your money safe, withdrawals are paused until November 24, 2026 at 10:15 AM (Europe/Berlin).',
  },
  EMAIL_NOT_CONFIRMED: {
    when: 'The user has to confirm their email address first. Occurs only where emails are really sent.',
    message: 'Confirm your email address before you withdraw. The link is in the email that we sent you.',
  },
  PAYLOAD_TOO_LARGE: {
    when: 'The body is larger than 1 MB, or a file exceeds the limit for its type. With status 431: the headers are larger than 16 kB.',
    message: 'The request body is too large: at most 1 MB.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    when: 'The body is not plain JSON in UTF-8, it has a Content-Encoding, or the file type is not accepted by this call.',
    message: 'Send the body as application/json.',
  },
  WRONG_AMOUNT: {
    when: 'The amount is not the outstanding amount, which the message names.',
    message: 'The amount must be the outstanding $34.50 (3450 cents).',
    fields: { amountCents: 'The amount must be the outstanding $34.50 (3450 cents).' },
  },
  INSUFFICIENT_BALANCE: {
    when: 'The amount is above the balance.',
    message: 'Insufficient balance',
    fields: { amountCents: 'Insufficient balance' },
  },
  DEVICE_DOES_NOT_FIT: {
    when: 'The campaign asks for another device, system version or country.',
    message: 'Needs Android 13 or newer; you have 12.',
    fields: { deviceInfo: 'Needs Android 13 or newer; you have 12.' },
  },
  IDEMPOTENCY_KEY_REUSED: {
    when: 'The Idempotency-Key was already used for a different request.',
    message: 'This Idempotency-Key was already used for a different request. Use a new one.',
  },
  TOO_MANY_REQUESTS: {
    when: 'Too many requests or attempts; `Retry-After` says when to try again.',
    message: 'Too many requests. Wait a moment and try again.',
  },
  INTERNAL: {
    when: 'An error on our side.',
    message: 'Something went wrong on our side. Try again. If it keeps happening, send us the request ID.',
  },
  UNAVAILABLE: {
    when: 'Busy or restarting; `Retry-After` says when to try again.',
    message: 'The service is busy or restarting. Try again in a moment.',
  },
  INSUFFICIENT_STORAGE: {
    when: 'There is no space left for files.',
    message: 'There is no space for files at the moment. Nothing was stored. Try again later.',
  },
}
