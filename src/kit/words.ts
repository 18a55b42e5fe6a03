import { once } from './once.ts'

/** 1234567 → "1,234,567". Done by hand, because creating the platform's format takes 10 ms, and 35 ms on a phone. */
export const grouped = (whole: number): string => String(whole).replace(/\B(?=(\d{3})+$)/g, ',')

/** `counted(1, 'tester')` is "1 tester", `counted(3000, 'tester')` is "3,000 testers". */
export const counted = (count: number, noun: string): string => `${grouped(count)} ${noun}${count === 1 ? '' : 's'}`

/** "PENDING_APPROVAL" → "Pending approval". */
export const codeInWords = (code: string): string => code.charAt(0) + code.slice(1).toLowerCase().replaceAll('_', ' ')

/** For a name inside a sentence, since a title may end in a question mark. */
export const quoted = (name: string): string => `“${name}”`

/** Replaces a device's model, and other facts about a person, once the account is deleted. */
export const forgotten = 'Deleted'

/**
 * "Google Pixel 8": the model, preceded by its maker unless the model begins with it; "Device not kept" for a deleted account.
 */
export const deviceName = ({ model, manufacturer }: { model: string; manufacturer: string | null }): string => {
  if (model === forgotten) return 'Device not kept'
  return manufacturer === null || model.startsWith(manufacturer) ? model : `${manufacturer} ${model}`
}

const and = once(() => new Intl.ListFormat('en', { type: 'conjunction' }))
const or = once(() => new Intl.ListFormat('en', { type: 'disjunction' }))
const decimal = once(() => new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 }))

/** "France, Italy, and Spain". */
export const allOf = (words: readonly string[]): string => and().format(words)

/** "France, Italy, or Spain". */
export const anyOf = (words: readonly string[]): string => or().format(words)

/** 4.25 → "4.3", 1234 → "1,234". */
export const oneDecimal = (value: number): string => decimal().format(value)
