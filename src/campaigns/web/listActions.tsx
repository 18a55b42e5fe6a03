import { Plus } from 'lucide-react'
import type { ReactNode } from 'react'
import { paths } from '../../kit/paths.ts'
import type { Role } from '../../kit/roles.ts'
import { ButtonLink } from '../../kit/web/ui/Button.tsx'

export const createLink = (
  <ButtonLink to={paths.campaignCreate}>
    <Plus aria-hidden /> Create Campaign
  </ButtonLink>
)

/** Beside the list's heading. */
export const listActions: Partial<Record<Role, ReactNode>> = {
  DEVELOPER: createLink,
  ADMIN: (
    <ButtonLink to={paths.campaignsPending} variant="outline">
      Pending Approvals
    </ButtonLink>
  ),
}
