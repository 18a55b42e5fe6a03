/** What makes a password weak, in a sentence for the person who chose it. */

export type Owner = { name: string; email: string }

const squashed = (text: string) => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')

/** Of at least three characters: shorter ones are in many a good password. */
const ownWords = ({ name, email }: Owner) =>
  [email, email.split('@')[0] ?? '', name, ...name.split(/\s+/), ...email.split(/[@.]/)]
    .map(squashed)
    .filter(word => word.length >= 3)

/** True when hardly anything remains without the owner's name and address: "ann.lee99" of Ann Lee. */
const isOwn = (password: string, owner: Owner) =>
  ownWords(owner).some(word => {
    const rest = squashed(password).split(word)
    return rest.length > 1 && rest.join('').length < 4
  })

/** Null for a password that is not known to be weak. `common` is commonPasswords.ts, which a page loads when it is needed. */
export const weaknessOf = (password: string, owner: Owner, common: ReadonlySet<string>): string | null => {
  if (password === '') return null
  if (new Set(password.toLowerCase()).size === 1) return 'This password repeats one character.'
  if (common.has(password.toLowerCase())) return 'This is one of the 10,000 most common passwords.'
  if (isOwn(password, owner)) return 'This password is made of your name or email address.'
  return null
}
