/** Weak passwords: the form warns of them. They are refused for admins, and for everybody if the setting says so. */
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

/** Throws INVALID_INPUT, with an explanation at `field`, if this user must not have so weak a password. */
export const assertStrongEnough = async (
  tx: Tx,
  password: string,
  user: Owner & { role: Role },
  field: string,
): Promise<void> => {
  const mustBeStrong = user.role === 'ADMIN' || (await currentSettings(tx)).weakPasswords === 'refuse'
  if (mustBeStrong) refuse(password, user, field)
}

/** Why ADMIN_PASSWORD is weak, because production then refuses to start; null if it is not known to be. */
export const weaknessOfAdmin = (email: string, password: string): string | null =>
  weaknessOf(password, { name: 'Admin', email }, commonPasswords)
