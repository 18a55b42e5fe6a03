import type { Role } from '../roles.ts'

export const roleWords: Record<Role, { label: string; tone: 'primary' | 'neutral' | 'red' }> = {
  DEVELOPER: { label: 'Developer', tone: 'primary' },
  TESTER: { label: 'Tester', tone: 'neutral' },
  ADMIN: { label: 'Admin', tone: 'red' },
}
