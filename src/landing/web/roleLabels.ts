import { roleWords } from '../../kit/web/roleWords.ts'
import type { WaitlistRole } from '../contract.ts'

export const roleLabels: Record<WaitlistRole, string> = {
  developer: roleWords.DEVELOPER.label,
  tester: roleWords.TESTER.label,
}

export const roleTones = { developer: roleWords.DEVELOPER.tone, tester: roleWords.TESTER.tone }
