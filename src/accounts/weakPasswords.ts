/** Explains to a user why their password is weak. */

export type Owner = { name: string; email: string }

const squashed = (text: string) => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')

/** Words of at least three characters, because shorter ones occur in many good passwords. */
const ownWords = ({ name, email }: Owner) =>
  [email, email.split('@')[0] ?? '', name, ...name.split(/\s+/), ...email.split(/[@.]/)]
    .map(squashed)
    .filter(word => word.length >= 3)

/** True if hardly anything remains after removing the owner's name and address: "ann.lee99" of Ann Lee. */
const isOwn = (password: string, owner: Owner) =>
  ownWords(owner).some(word => {
    const rest = squashed(password).split(word)
    return rest.length > 1 && rest.join('').length < 4
  })

/** Null unless the password is known to be weak. `common` is commonPasswords.ts, which a page loads when it needs it. */
export const weaknessOf = (password: string, owner: Owner, common: ReadonlySet<string>): string | null => {
  if (password === '') return null
  if (new Set(password.toLowerCase()).size === 1) return 'This password repeats one character.'
  if (common.has(password.toLowerCase())) return 'This is one of the 10,000 most common passwords.'
  if (isOwn(password, owner)) return 'This password is made up of your name or email address.'
  return null
}
