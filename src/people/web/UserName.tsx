import { BadgeCheck } from 'lucide-react'
import { Link } from 'react-router'
import { roleWords } from '../../kit/web/roleWords.ts'
import { paths } from '../../kit/paths.ts'
import { Badge } from '../../kit/web/ui/Badge.tsx'
import { Email } from '../../kit/web/ui/Email.tsx'
import { Avatar } from '../../kit/web/ui/Values.tsx'
import type { AdminUser } from '../contract.ts'
import { statusLooks } from './userWords.ts'

export const VerifiedIcon = () => (
  <span title="Verified" className="shrink-0 text-link">
    <BadgeCheck aria-hidden className="size-4" />
    <span className="sr-only">Verified</span>
  </span>
)

export const RoleBadge = ({ role }: Pick<AdminUser, 'role'>) => (
  <Badge tone={roleWords[role].tone}>{roleWords[role].label}</Badge>
)

export const StatusBadge = ({ status }: Pick<AdminUser, 'status'>) => (
  <Badge tone={statusLooks[status].tone}>{statusLooks[status].label}</Badge>
)

/** A user in a row: initials, name, email, and a link to the profile. */
export const UserName = ({ of: { id, name, email, isVerified = false } }: { of: Who }) => (
  <span className="flex items-center gap-3">
    <Avatar name={name} />
    <span className="min-w-0">
      <span className="flex items-center gap-1">
        <Link to={paths.user(id)} className="font-medium underline-offset-4 wrap-anywhere hover:underline">
          {name}
        </Link>
        {isVerified && <VerifiedIcon />}
      </span>
      <span className="block font-normal text-muted-foreground">
        <Email address={email} />
      </span>
    </span>
  </span>
)

type Who = Pick<AdminUser, 'id' | 'name' | 'email'> & { isVerified?: boolean }
