import type { Day } from '../../kit/clock.ts'
import { keyedHash } from '../../kit/server/encryption.ts'
import { codeOf } from '../facts.ts'

/** Nobody can predict tomorrow's code, or another tester's. */
export const dayCodeOf = (participationId: string, day: Day): string =>
  codeOf(keyedHash(`${participationId} ${day}`, 'day code'))
