/** The emails about the account itself: those with a link, and warnings about changes to it. Pure. */
import { counted } from '../../kit/words.ts'
import { type Email, format } from './emailParts.ts'

type OfAccount = { userId: string }
/** An email whose whole point is a link: the address, and for how many hours it works. */
type OfLink = { link: string; hours: number }

export type AccountEmailFacts = {
  CONFIRM_EMAIL: OfLink
  /** `parts`: the address was never confirmed, so setting a new password opens a new account. */
  RESET_PASSWORD: OfLink & { parts: boolean }
  CHANGE_EMAIL: OfLink
  STOP_EMAIL_CHANGE: OfLink & { newEmail: string }
  UNDO_EMAIL_CHANGE: OfLink & { newEmail: string }
  PASSWORD_AFTER_UNDO: OfLink
  PASSWORD_CHANGED: OfAccount & { byLink: boolean; pauseHours: number | null }
  EMAIL_CHANGED: OfAccount & { email: string; pauseHours: number | null }
  /** `newEmail` is null in an email to an address that may be a stranger's. */
  EMAIL_CHANGE_ASKED: OfAccount & { newEmail: string | null }
  EMAIL_CHANGE_UNDONE: OfAccount & { email: string; moved: boolean; removedFactors: number }
  EMAIL_CHANGE_REVERTED: { email: string }
  PAYMENT_METHOD_CHANGED: OfAccount & { paymentMethod: string; pauseHours: number | null }
  PAYOUT_ACCOUNT_OPENED: OfAccount & { country: string; pauseHours: number }
  PAYOUT_ACCOUNT_REMOVED: OfAccount & { country: string }
  NEW_DEVICE: OfAccount & { device: string; ip: string; at: string }
  SIGNED_OUT_EVERYWHERE: OfAccount
  SIGNED_OUT_ELSEWHERE: OfAccount & { sessions: number }
  /** To the other admins. */
  ADMIN_CREATED: OfAccount & { name: string; email: string }
  /** To the other admins. `mark`: what the deleted account is called from now on. */
  ADMIN_DELETED: OfAccount & { name: string; mark: string; by: 'OWNER' | 'SERVER' }
  SIGNED_OUT: OfAccount & { device: string; by: 'ANOTHER_SESSION' | 'REUSED_TOKEN' }
}

const newAccountWarning =
  'The address of this account was never confirmed. With a new\npassword you get a new, empty account, and the old one is closed.\nTo keep it, sign in with its password instead, and confirm the\naddress in your settings.\n\n'

const withinHours = (hours: number) => (hours === 1 ? 'within an hour' : `within ${hours} hours`)

const ifItWasNot = 'If this was not you, reset your password at once: “Forgot password?” on the sign-in page.'

const serverAccess = 'If you did not expect it, find out at once who has access to the server.'

const paused = (hours: number | null) =>
  hours === null ? '' : ` To keep your money safe, withdrawals are paused for ${hours} hours.`

const removed = (factors: number) => {
  if (factors === 0) return ''
  const [what, were] = factors === 1 ? ['One second factor', 'was'] : [`${factors} second factors`, 'were']
  return ` ${what} added after the change was requested ${were} removed.`
}

/** `a…@example.test`: enough for somebody who knows the address. */
const hidden = (email: string) => email.replace(/^(.)[^@]*/, '$1…')

const signedOutBecause = {
  ANOTHER_SESSION: 'It was signed out from another device, with your password.',
  REUSED_TOKEN: 'Its session was used from two places at once. Somebody may have copied it, so we ended it.',
}

export const accountEmails: { [K in keyof AccountEmailFacts]: (facts: AccountEmailFacts[K]) => Email } = {
  // Emails with a link are plain ASCII in short lines, so that no mail program breaks the link.
  CONFIRM_EMAIL: ({ link, hours }) => ({
    subject: 'Confirm your email address',
    text: `Confirm that this is your email address:\n\n${link}\n\nThe link works once, ${withinHours(hours)}.\n\nIf you did not create a Fieldtest account, ignore this email.`,
    about: null,
    button: { label: 'Confirm email address', address: link },
  }),
  RESET_PASSWORD: ({ link, hours, parts }) => ({
    subject: 'Reset your password',
    text: `Choose a new password for your Fieldtest account:\n\n${link}\n\n${parts ? newAccountWarning : ''}The link works once, ${withinHours(hours)}.\n\nIf you did not ask for it, ignore this email.\nYour password stays as it is.`,
    about: null,
    button: { label: 'Choose a new password', address: link },
  }),
  CHANGE_EMAIL: ({ link, hours }) => ({
    subject: 'Confirm your new email address',
    text: `Confirm that your Fieldtest account should move to this address:\n\n${link}\n\nThe link works once, ${withinHours(hours)}.\nUntil then the account keeps its current address.\n\nIf you did not ask for it, ignore this email.`,
    about: null,
    button: { label: 'Confirm new address', address: link },
  }),
  STOP_EMAIL_CHANGE: ({ link, hours, newEmail }) => ({
    subject: 'Your email address is about to change',
    text: `Somebody who knows your password asked to move your\nFieldtest account to another email address:\n\n${newEmail}\n\nIf this was you, open the link that we sent there.\n\nIf this was not you, stop it ${withinHours(hours)}:\n\n${link}\n\nThat signs out all devices, and you choose a new password.`,
    about: null,
    button: { label: 'Stop the change', address: link },
  }),
  UNDO_EMAIL_CHANGE: ({ link, hours, newEmail }) => ({
    subject: 'Your email address was changed',
    text: `Your Fieldtest account no longer uses this email address. It\nnow uses:\n\n${newEmail}\n\nIf this was not you, undo it ${withinHours(hours)}:\n\n${link}\n\nThat brings this address back and signs out all devices, and\nyou choose a new password.\nIf it was you, ignore this email.`,
    about: null,
    button: { label: 'Undo the change', address: link },
  }),
  PASSWORD_AFTER_UNDO: ({ link, hours }) => ({
    subject: 'Choose a new password',
    text: `The old password of your Fieldtest account no longer works,\nbecause you stopped a change of your email address.\n\nChoose a new one:\n\n${link}\n\nThe link works once, ${withinHours(hours)}. After that, ask for another:\n"Forgot password?" on the sign-in page.`,
    about: null,
    button: { label: 'Choose a new password', address: link },
  }),
  PASSWORD_CHANGED: ({ userId, byLink, pauseHours }) => ({
    subject: 'Your password was changed',
    text: `${byLink ? 'Your password was reset with a link from an email, and you were signed out on all devices.' : 'Your password was changed, and you were signed out on all other devices.'}${paused(pauseHours)}\n\n${ifItWasNot}`,
    about: { kind: 'ACCOUNT', id: userId },
  }),
  EMAIL_CHANGED: ({ userId, email, pauseHours }) => ({
    subject: 'Your account has a new email address',
    text: `Your account now uses ${email}. Sign in with this address from now on.${paused(pauseHours)}`,
    about: { kind: 'ACCOUNT', id: userId },
  }),
  EMAIL_CHANGE_ASKED: ({ userId, newEmail }) => ({
    subject: 'Email address change requested',
    text:
      newEmail === null
        ? `Somebody who knows your password asked to move your account to another email address. The change takes effect once the link sent there is opened. ${ifItWasNot}`
        : `Somebody asked to move the account that recently used this address to another one: ${newEmail}. If this was not you, use the link in our email “Your email address was changed”: it undoes this change as well.`,
    about: { kind: 'ACCOUNT', id: userId },
  }),
  EMAIL_CHANGE_UNDONE: ({ userId, email, moved, removedFactors }) => ({
    subject: moved ? 'Your email address is back' : 'Your email address stays as it is',
    text: `${moved ? `The change of your email address was undone: your account uses ${email} again.` : `The change of your email address was stopped: your account still uses ${email}.`} You were signed out on all devices, and the old password no longer works.${removed(removedFactors)}\n\nChoose a new password with the link in our other email, or with “Forgot password?” on the sign-in page.`,
    about: { kind: 'ACCOUNT', id: userId },
  }),
  EMAIL_CHANGE_REVERTED: ({ email }) => ({
    subject: 'Your account no longer uses this email address',
    text: `The Fieldtest account that used this address has gone back to the one that it had before: ${hidden(email)}. That was done with a link that we had sent there, or by somebody who was signed in.\n\nIf it is your account and this was not you, reply to this email at once.`,
    about: null,
  }),
  PAYMENT_METHOD_CHANGED: ({ userId, paymentMethod, pauseHours }) => ({
    subject: 'Your payment method was changed',
    text: `Your payment method is now ${paymentMethod}.${paused(pauseHours)}\n\n${ifItWasNot}`,
    about: { kind: 'ACCOUNT', id: userId },
  }),
  PAYOUT_ACCOUNT_OPENED: ({ userId, country, pauseHours }) => ({
    subject: 'A payout account was opened',
    text: `A payout account at Stripe was opened for you, in ${country}. Once it is ready, your withdrawals are paid to it.${paused(pauseHours)}\n\n${ifItWasNot} Then remove the payout account on your balance page: nothing is paid to it after that.`,
    about: { kind: 'ACCOUNT', id: userId },
  }),
  PAYOUT_ACCOUNT_REMOVED: ({ userId, country }) => ({
    subject: 'Your payout account was removed',
    text: `Your payout account at Stripe, in ${country}, was removed: no more withdrawals are paid to it. Set up another one on your balance page before your next withdrawal.\n\n${ifItWasNot}`,
    about: { kind: 'ACCOUNT', id: userId },
  }),
  NEW_DEVICE: ({ userId, device, ip, at }) => ({
    subject: `New sign-in: ${device}`,
    text: `Somebody signed in to your account from a device that was not used in the last 90 days: ${device}, IP address ${ip}, on ${format(at)}.\n\nIf this was you, there is nothing to do. ${ifItWasNot}`,
    about: { kind: 'ACCOUNT', id: userId },
  }),
  SIGNED_OUT_EVERYWHERE: ({ userId }) => ({
    subject: 'Signed out on all devices',
    text: `You were signed out on all devices, as requested in your settings.\n\n${ifItWasNot}`,
    about: { kind: 'ACCOUNT', id: userId },
  }),
  SIGNED_OUT_ELSEWHERE: ({ userId, sessions }) => ({
    subject: `Signed out of ${counted(sessions, 'other session')}`,
    text: `You were signed out of ${counted(sessions, 'session')}: all except the one that asked for it, with your password.\n\n${ifItWasNot}`,
    about: { kind: 'ACCOUNT', id: userId },
  }),
  SIGNED_OUT: ({ userId, device, by }) => ({
    subject: `Signed out: ${device}`,
    text: `You are no longer signed in on ${device}. ${signedOutBecause[by]}\n\n${ifItWasNot}`,
    about: { kind: 'ACCOUNT', id: userId },
  }),
  ADMIN_CREATED: ({ userId, name, email }) => ({
    subject: `New admin: ${name}`,
    text: `${name} (${email}) is an admin now. The account was created on the server.\n\n${serverAccess}`,
    about: { kind: 'ADMIN', id: userId },
  }),
  ADMIN_DELETED: ({ userId, name, mark, by }) => ({
    subject: `No longer an admin: ${name}`,
    text: `${by === 'OWNER' ? `${name} has deleted their admin account.` : `The admin account of ${name} was deleted on the server.`} What they did stays in the audit log, as the actions of “${mark}”.\n\n${by === 'OWNER' ? 'If you did not expect it, look there at what they did last: somebody else may have used the account.' : serverAccess}`,
    about: { kind: 'ADMIN', id: userId },
  }),
}
