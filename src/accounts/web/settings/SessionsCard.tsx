import { useQuery } from '@tanstack/react-query'
import { MonitorSmartphone } from 'lucide-react'
import { Suspense, lazy, useId, useState } from 'react'
import { Badge } from '../../../kit/web/ui/Badge.tsx'
import { Button } from '../../../kit/web/ui/Button.tsx'
import { Card } from '../../../kit/web/ui/Card.tsx'
import { Query } from '../../../kit/web/ui/Query.tsx'
import { SkeletonList } from '../../../kit/web/ui/States.tsx'
import { RelativeTime } from '../../../kit/web/ui/Values.tsx'
import type { SessionInfo } from '../../contract.ts'
import { deviceOf } from '../../../kit/userAgent.ts'
import { counted } from '../../../kit/words.ts'
import { api } from '../calls.ts'
import { accountKeys } from '../keys.ts'
import { SignOutEverywhere } from './SignOutEverywhere.tsx'
import type { SigningOut } from './SignOutDialog.tsx'

const SignOutDialog = lazy(async () => ({ default: (await import('./SignOutDialog.tsx')).SignOutDialog }))

/** The current session first, then by most recent use. */
const thisFirst = (sessions: readonly SessionInfo[]) =>
  sessions.toSorted((a, b) => Number(b.current) - Number(a.current))

export const SessionsCard = () => {
  const sessions = useQuery({ queryKey: accountKeys.sessions, queryFn: ({ signal }) => api.sessions({ signal }) })
  const [signingOut, setSigningOut] = useState<SigningOut | null>(null)
  const elsewhere = sessions.data?.filter(({ current }) => !current).length ?? 0
  return (
    <Card
      title="Sessions"
      description="Devices where you are signed in."
      action={
        elsewhere > 1 && (
          <Button
            variant="outline"
            size="sm"
            onClick={() => setSigningOut({ id: null, what: counted(elsewhere, 'other session') })}
          >
            Sign out all other sessions
          </Button>
        )
      }
    >
      <Query
        of={sessions}
        loading={<SkeletonList count={2} className="h-10" />}
        errorTitle="Failed to load your sessions"
      >
        {loaded => (
          <ul className="-my-2 divide-y">
            {thisFirst(loaded).map(session => (
              <SessionLine
                key={session.id}
                session={session}
                onEnd={() => setSigningOut({ id: session.id, what: deviceOf(session.userAgent) })}
              />
            ))}
          </ul>
        )}
      </Query>
      <SignOutEverywhere />
      {signingOut && (
        <Suspense>
          <SignOutDialog {...signingOut} onClose={() => setSigningOut(null)} />
        </Suspense>
      )}
    </Card>
  )
}

type LineProps = { session: SessionInfo; onEnd: () => void }

const SessionLine = ({ session: { userAgent, ip, current, lastUsedAt }, onEnd }: LineProps) => {
  // Devices of one kind have the same name.
  const which = useId()
  return (
    <li className="flex items-center gap-3 py-2.5">
      <MonitorSmartphone aria-hidden className="size-4 shrink-0 text-muted-foreground" />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2 font-medium" title={userAgent}>
          {deviceOf(userAgent)}
          {current && <Badge tone="green">This device</Badge>}
        </p>
        <p id={which} className="text-muted-foreground wrap-anywhere">
          {ip}, last used <RelativeTime at={lastUsedAt} />
        </p>
      </div>
      {!current && (
        <Button variant="outline" size="sm" aria-describedby={which} onClick={onEnd}>
          Sign out<span className="sr-only"> {deviceOf(userAgent)}</span>
        </Button>
      )}
    </li>
  )
}
