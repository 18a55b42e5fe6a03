/** Says what a transfer is for, by the first part of its key. Pure. */
import { codeInWords } from '../kit/words.ts'

const words: Record<string, string> = {
  'charge-pay': 'Payment started, testers’ pay',
  'charge-fee': 'Payment started, platform fee',
  'charge-pay-void': 'Payment failed, testers’ pay',
  'charge-fee-void': 'Payment failed, platform fee',
  'fund-pay': 'Payment received, testers’ pay',
  'fund-fee': 'Payment received, platform fee',
  'provider-fee': 'Payment provider fee',
  'account-fee': 'Payment provider fee for our account',
  'verify-pay': 'Pay for a verified test',
  'verify-fee': 'Platform fee for a verified test',
  'cancel-pay': 'Pay for a cancelled test',
  'waiting-pay': 'Pay for a cancelled test that waited',
  'appeal-goodwill': 'Goodwill pay',
  'refund-pay': 'Refund owed, testers’ pay',
  'refund-fee': 'Refund owed, platform fee',
  'refund-call': 'Refund requested',
  'refund-out': 'Refund paid',
  'refund-void': 'Refund refused by the provider',
  'refund-returned': 'Refund returned',
  'refund-late': 'Refund paid after all',
  'refund-twice': 'Refund paid twice',
  'refund-twice-back': 'Second refund returned',
  'refund-twice-settled': 'Refund paid twice, settled',
  'refund-set-off': 'Refund that a bank has already paid',
  'refund-owed-again': 'Refund owed again, dispute won',
  'refund-once': 'Refund paid once after all',
  'given-up': 'Balance given up with the account',
  'refund-outside': 'Refund by other means recorded',
  'refund-outside-paid': 'Refund by other means confirmed',
  'refund-outside-void': 'Refund by other means discarded',
  withdraw: 'Withdrawal requested',
  payout: 'Withdrawal paid out',
  'payout-back': 'Withdrawal failed',
  'payout-returned': 'Payout returned',
  'dispute-lost': 'Disputed payment lost',
  'dispute-fee': 'Fee for a disputed payment',
  'dispute-returned': 'Disputed payment returned',
  'debt-settled': 'Debt for a disputed payment settled',
  'debt-unsettled': 'Settled debt no longer owed',
}

/** A kind without words of its own is spelled out: "covered-pay" is "Covered pay". */
export const transferWords = (what: string): string =>
  Object.hasOwn(words, what) ? words[what]! : codeInWords(what.toUpperCase().replaceAll('-', '_'))
