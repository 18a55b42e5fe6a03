/** The screens' headings, shown before the screens' code has loaded as well (src/app/web/shells.tsx). */
import type { Role } from '../../kit/roles.ts'
import { listNames } from './listNames.ts'

export const campaignsHeads: Record<Role, { title: string; description: string }> = {
  DEVELOPER: {
    title: listNames.DEVELOPER,
    description: 'Your campaigns and their progress.',
  },
  TESTER: { title: listNames.TESTER, description: 'Apps looking for testers, and what each test pays.' },
  ADMIN: { title: listNames.ADMIN, description: 'All campaigns on the platform, in any status.' },
}

export const createHead = {
  title: 'Create Campaign',
  description:
    'Describe what to test, for how long, and what it pays. Your campaign stays a draft until you pay for it.',
}
export const pendingHead = {
  title: 'Pending Approvals',
  description: 'Everything that is waiting for your review or decision, oldest first.',
}
