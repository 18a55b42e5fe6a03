/** What a failed email says: about its address, about itself, or about us. */

/** What nodemailer throws. Without a `responseCode` the mail server answered nothing. */
export type Failure = { code?: string; command?: string; responseCode?: number; response?: string }

export const printable = (text: string): string => text.replaceAll(/\p{Cc}+/gu, ' ').slice(0, 300)

/** The enhanced status code (RFC 3463) of an answer. */
const statusOf = ({ response = '' }: Failure) => /^\d{3}[ -]([245]\.\d+\.\d+)/.exec(response)?.[1]

const wordsOf = ({ response = '' }: Failure) => response.replaceAll(/\S+@\S+/g, '')

/**
 * The mail server refuses us for good, not an address: relaying, authorization, policy and daily limits (5.7.x and 5.4.5; words
 * only where there is no such code, since a full mailbox has a quota as well).
 */
const isOfUs = (failure: Failure) => {
  const status = statusOf(failure)
  if (status !== undefined) return status.startsWith('5.7.') || status === '5.4.5'
  return /relay|limit (reached|exceeded)|not authori[sz]ed|sender .*reject/i.test(wordsOf(failure))
}

/** Whether the failure is of this email alone: its address or its text was refused. */
export const isOfOne = (failure: Failure): boolean =>
  !isOfUs(failure) &&
  (failure.command === 'RCPT TO' ||
    failure.command === 'DATA' ||
    failure.code === 'EMESSAGE' ||
    (failure.code === 'EENVELOPE' && failure.command === 'API'))

/**
 * There is no such mailbox or domain (5.1.x, but not 5.1.7 and 5.1.8, which are about the sender), or the mailbox takes nothing.
 */
const ofAddress = /^(5\.1\.([1-46]|10)|5\.2\.[1-4]|4\.2\.[12])$/

const deadWords =
  /no such (user|mailbox|recipient|address)|unknown (user|mailbox|recipient|address)|(user|mailbox|recipient|address) (is )?(unknown|not found|full)|over quota/i

const isOfAddress = (failure: Failure) => {
  const status = statusOf(failure)
  return (
    failure.command === 'RCPT TO' && (status === undefined ? deadWords.test(wordsOf(failure)) : ofAddress.test(status))
  )
}

/**
 * Whether a failure of one email could be the mail server's refusal of us, in words that do not say so. Neither an answer that
 * names the address as the reason nor an email that the mail server has not seen is.
 */
export const mayBeOfUs = (failure: Failure): boolean => failure.responseCode !== undefined && !isOfAddress(failure)

/** The answer of a server that refuses the address, not us, for good: 5xx to RCPT TO (RFC 5321 §4.2.1). */
export const finalRefusal = ({ command, responseCode, response }: Failure): string | null => {
  if (command !== 'RCPT TO' || responseCode === undefined || responseCode < 500) return null
  return printable(response ?? String(responseCode))
}
