import type { WaitlistRole } from '../contract.ts'

export const roleLabels: Record<WaitlistRole, string> = { developer: 'Developer', tester: 'Tester' }
