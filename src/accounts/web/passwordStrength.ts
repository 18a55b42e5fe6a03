/** Roughly how hard a password is to guess: a hint while typing, not a requirement (product.md §5). */
export const strengths = ['Too short', 'Weak', 'Fair', 'Good', 'Strong'] as const

const minimum = 6

/** What attackers try first, with or without digits before or after it. */
const common = /^(pass(word)?|qwert[yz]u?i?|letmein|welcome|admin|iloveyou|monkey|dragon|football|abc|test(er)?)$/i

const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z0-9]/]

/** An index into `strengths`. */
export const strengthOf = (password: string): 0 | 1 | 2 | 3 | 4 => {
  if (password.length < minimum) return 0
  const letters = password.replaceAll(/[\d\W_]/g, '')
  const different = new Set(password.toLowerCase()).size
  if (different < 4 || common.test(letters) || isRow(password)) return 1
  const variety = kinds.filter(kind => kind.test(password)).length
  const points = password.length + (variety - 1) * 2 + Math.min(different - 4, 4) / 2
  if (points >= 20) return 4
  if (points >= 15) return 3
  return points >= 10 ? 2 : 1
}

/** Sequences such as "123456", "abcdef" and "987654". */
const isRow = (password: string) => {
  const steps = new Set(
    Array.from(password.slice(1), (letter, index) => letter.charCodeAt(0) - password.charCodeAt(index)),
  )
  return steps.size === 1
}
