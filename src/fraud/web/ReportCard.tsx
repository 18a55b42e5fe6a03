import { clsx } from 'clsx'
import { Link } from 'react-router'
import { paths } from '../../kit/paths.ts'
import { Badge } from '../../kit/web/ui/Badge.tsx'
import { Button } from '../../kit/web/ui/Button.tsx'
import { Email } from '../../kit/web/ui/Email.tsx'
import { Avatar, DateTime } from '../../kit/web/ui/Values.tsx'
import type { FraudReport } from '../contract.ts'
import { detailsOf, reasonOf, severityFace, statusLooks } from './severity.ts'

type Props = { report: FraudReport; onInvestigate: () => void; onBan: () => void }

export const ReportCard = ({ report, onInvestigate, onBan }: Props) => {
  const { createdAt, eventData, user } = report
  const { Icon, iconLook } = severityFace(eventData.severity)
  return (
    <article className="grid gap-x-8 gap-y-4 rounded-xl border bg-card p-4 shadow-card md:grid-cols-[minmax(0,1fr)_17rem] md:p-5">
      <div className="flex min-w-0 gap-3.5">
        <span className={clsx('grid size-9 shrink-0 place-items-center rounded-lg', iconLook)}>
          <Icon aria-hidden className="size-4.5" />
        </span>
        <div className="min-w-0">
          <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <ReportBadges report={report} />
            <span className="text-xs text-muted-foreground">
              <DateTime at={createdAt} withTime />
            </span>
          </div>
          <h2 className="mt-1.5 text-base font-semibold wrap-anywhere">{reasonOf(eventData.reason)}</h2>
          <p className="max-w-prose text-muted-foreground wrap-anywhere">{detailsOf(eventData.details)}</p>
        </div>
      </div>
      <div className="grid content-between gap-3 border-t pt-4 md:border-t-0 md:border-l md:pt-0 md:pl-5">
        <ReportedUser user={user} />
        <div className="flex flex-wrap gap-2">
          <Button
            variant="outline"
            size="sm"
            onClick={onInvestigate}
            aria-label={`Investigate: ${reasonOf(eventData.reason)}, ${user.name}`}
          >
            Investigate
          </Button>
          <BanButton user={user} onBan={onBan} size="sm" />
        </div>
      </div>
    </article>
  )
}

export const ReportBadges = ({ report: { eventData, status, isSample } }: { report: FraudReport }) => {
  const { label, tone } = severityFace(eventData.severity)
  return (
    <>
      <Badge tone={tone}>{label}</Badge>
      <Badge tone={statusLooks[status].tone}>{statusLooks[status].label}</Badge>
      {isSample && <Badge tone="violet">Sample</Badge>}
    </>
  )
}

export const ReportedUser = ({ user }: { user: FraudReport['user'] }) => (
  <div className="flex min-w-0 items-start gap-2.5">
    <Avatar name={user.name} />
    <div className="min-w-0">
      <p className="font-medium wrap-anywhere">
        {user.status === 'DELETED' ? (
          user.name
        ) : (
          <Link to={paths.user(user.id)} className="hover:underline">
            {user.name}
          </Link>
        )}
      </p>
      {user.status !== 'DELETED' && (
        <p className="text-muted-foreground">
          <Email address={user.email} />
        </p>
      )}
      <p className="text-xs text-muted-foreground">
        Joined <DateTime at={user.createdAt} />
      </p>
      {user.status === 'SUSPENDED' && (
        <Badge tone="red" className="mt-1">
          Suspended
        </Badge>
      )}
    </div>
  </div>
)

/** Admins cannot be banned, nor can users who are suspended or deleted. */
export const mayBan = (user: FraudReport['user']) => user.role !== 'ADMIN' && user.status === 'ACTIVE'

type BanProps = { user: FraudReport['user']; onBan: () => void; size?: 'sm' | 'md' }

export const BanButton = ({ user, onBan, size = 'md' }: BanProps) => {
  if (!mayBan(user)) return null
  return (
    <Button variant="ghost" size={size} onClick={onBan} aria-label={`Ban User: ${user.name}`}>
      Ban User
    </Button>
  )
}
