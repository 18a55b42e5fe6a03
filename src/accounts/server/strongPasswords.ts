/** Weak passwords: named by the form, and refused for admins, and for everybody where the setting says so. */
import type { Tx } from '../../kit/server/db.ts'
import { DomainError } from '../../kit/errors.ts'
import type { Role } from '../../kit/roles.ts'
import { currentSettings } from '../../settings/server/settings.ts'
import { commonPasswords } from '../commonPasswords.ts'
import { type Owner, weaknessOf } from '../weakPasswords.ts'

const refuse = (password: string, owner: Owner, field: string) => {
  const weakness = weaknessOf(password, owner, commonPasswords)
  if (weakness === null) return
  const message = `${weakness} Choose another one.`
  throw new DomainError('INVALID_INPUT', message, { fields: { [field]: message } })
}

/** Throws INVALID_INPUT with a sentence at `field` when this user may not have so weak a password. */
export const assertStrongEnough = async (
  tx: Tx,
  password: string,
  user: Owner & { role: Role },
  field: string,
): Promise<void> => {
  const mustBeStrong = user.role === 'ADMIN' || (await currentSettings(tx)).weakPasswords === 'refuse'
  if (mustBeStrong) refuse(password, user, field)
}

/** What is weak about ADMIN_PASSWORD, for the start: production refuses it. */
export const weaknessOfAdmin = (email: string, password: string): string | null =>
  weaknessOf(password, { name: 'Admin', email }, commonPasswords)
