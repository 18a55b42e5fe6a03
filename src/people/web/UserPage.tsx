import { useQuery } from '@tanstack/react-query'
import { Mail, RotateCcw, UserX } from 'lucide-react'
import { Suspense, useState } from 'react'
import { Link, useParams } from 'react-router'
import { isMissing } from '../../kit/web/apiError.ts'
import { paths } from '../../kit/paths.ts'
import { BackLink } from '../../kit/web/ui/BackLink.tsx'
import { Alert } from '../../kit/web/ui/Alert.tsx'
import { Button } from '../../kit/web/ui/Button.tsx'
import { Card, DescriptionList, StatCard } from '../../kit/web/ui/Card.tsx'
import { MissingPage } from '../../kit/web/ui/MissingPage.tsx'
import { PageHeader } from '../../kit/web/ui/PageHeader.tsx'
import { Query } from '../../kit/web/ui/Query.tsx'
import { Skeleton } from '../../kit/web/ui/States.tsx'
import { CopyButton, DateTime, Money, RelativeTime } from '../../kit/web/ui/Values.tsx'
import { countryName } from '../../kit/countries.ts'
import type { UserProfile } from '../contract.ts'
import { type UserAction, UserDialogs } from './UserDialogs.tsx'
import { UserHistory } from './UserHistory.tsx'
import { RoleBadge, StatusBadge, VerifiedIcon } from './UserName.tsx'
import { userQuery } from './calls.ts'
import { grouped } from '../../kit/words.ts'

const back = <BackLink to={paths.users}>Users</BackLink>

export const UserPage = () => {
  const { id = '' } = useParams()
  const profile = useQuery(userQuery(id))
  if (isMissing(profile.error)) return <NotFound />
  return (
    <>
      {!profile.data && <PageHeader title="User" back={back} />}
      <Query of={profile} loading={<LoadingProfile />} errorTitle="Failed to load the user">
        {user => <Profile user={user} />}
      </Query>
    </>
  )
}

const NotFound = () => (
  <MissingPage
    title="User not found"
    hint="The account may have been deleted. Check the URL, or find the user in the list."
    to={paths.users}
    back="Back to users"
  />
)

const LoadingProfile = () => (
  <div role="status" className="grid gap-5">
    <span className="sr-only">Loading</span>
    <div className="grid grid-cols-2 gap-3 lg:grid-cols-4">
      {Array.from({ length: 4 }, (_, index) => (
        <Skeleton key={index} className="h-22 rounded-xl" />
      ))}
    </div>
    <Skeleton className="h-72 rounded-xl" />
  </div>
)

const Profile = ({ user }: { user: UserProfile }) => (
  <>
    <PageHeader
      title={
        <span className="inline-flex items-center gap-1.5">
          {user.name}
          {user.isVerified && <VerifiedIcon />}
        </span>
      }
      documentTitle={user.name}
      description={
        user.role === 'TESTER' ? (
          <>
            {user.email} ·{' '}
            <Link className="text-link underline" to={paths.booksOf(user.id)}>
              Ledger<span className="sr-only"> of {user.name}</span>
            </Link>
          </>
        ) : (
          user.email
        )
      }
      badge={
        <>
          <RoleBadge role={user.role} />
          <StatusBadge status={user.status} />
        </>
      }
      back={back}
      actions={<Actions user={user} />}
    />
    {user.suspension && (
      <Alert tone="red" title="Suspended" className="mb-5">
        {user.suspension.reason} (<RelativeTime at={user.suspension.at} />)
        <PayoutsPending of={user.payoutsPending} />
      </Alert>
    )}
    {user.mailRefusal !== null && (
      <Alert tone="yellow" title="Our emails are not reaching them" className="mb-5">
        The mail server of {user.email} refused our last email: “{user.mailRefusal}”. We do not resend it; we try again
        with the next one. They can also find all messages under Notifications.
      </Alert>
    )}
    <Figures user={user} />
    <div className="grid items-start gap-5 grid-cols-[minmax(0,1fr)] lg:grid-cols-[minmax(0,1fr)_22rem]">
      <div>
        <UserHistory user={user} />
      </div>
      <Facts user={user} />
    </div>
  </>
)

/** How much of the pending withdrawals the suspension has frozen, and how much it came too late for. */
const PayoutsPending = ({ of: { waitingCents, withProviderCents } }: { of: UserProfile['payoutsPending'] }) => (
  <>
    {waitingCents > 0 && (
      <p className="mt-2">
        Withdrawals of <Money cents={waitingCents} /> are on hold until the account is restored.
      </p>
    )}
    {withProviderCents > 0 && (
      <p className="mt-2">
        Withdrawals of <Money cents={withProviderCents} /> were already with the payment provider and will still be paid
        out.
      </p>
    )}
  </>
)

const Actions = ({ user }: { user: UserProfile }) => {
  const [action, setAction] = useState<UserAction | null>(null)
  return (
    <>
      <Button variant="outline" onClick={() => setAction('message')}>
        <Mail aria-hidden /> Send Message
      </Button>
      {user.role !== 'ADMIN' &&
        (user.status === 'ACTIVE' ? (
          <Button variant="outline" className="text-destructive" onClick={() => setAction('ban')}>
            <UserX aria-hidden /> Suspend User
          </Button>
        ) : (
          <Button onClick={() => setAction('restore')}>
            <RotateCcw aria-hidden /> Restore User
          </Button>
        ))}
      <Suspense>
        <UserDialogs user={user} action={action} onClose={() => setAction(null)} />
      </Suspense>
    </>
  )
}

const Figures = ({ user }: { user: UserProfile }) => (
  <div className="mb-5 grid grid-cols-2 gap-3 lg:grid-cols-4">
    <StatCard label="Balance" value={<Money cents={user.balanceCents} />} />
    {user.role === 'DEVELOPER' ? (
      <StatCard label="Campaigns" value={grouped(user.totalCampaigns)} />
    ) : (
      <StatCard label="Tests" value={grouped(user.totalTests)} />
    )}
    <StatCard label="Last Active" value={user.lastActive ? <RelativeTime at={user.lastActive} /> : 'Never'} />
    <StatCard label="Active sessions" value={user.activeSessions} />
  </div>
)

const Facts = ({ user }: { user: UserProfile }) => (
  <Card
    title="Account"
    footer={
      <div className="-mx-3">
        <CopyButton text={user.id} label="Copy user ID" />
      </div>
    }
  >
    <DescriptionList
      className="-my-2"
      items={[
        { label: 'Joined', value: <DateTime at={user.createdAt} /> },
        { label: 'Country', value: user.country ? countryName(user.country) : 'Not set' },
        { label: 'Time zone', value: user.timeZone },
        { label: 'Payment', value: user.paymentMethod },
        ...(user.role === 'ADMIN' ? [] : [{ label: 'Verified', value: verifiedBy(user) }]),
      ]}
    />
  </Card>
)

/** What makes a user verified (docs/metrics.md). */
const verifiedBy = ({ role, isVerified }: UserProfile) => {
  const ground = role === 'TESTER' ? 'a verified test' : 'an approved campaign'
  return isVerified ? `Yes: has ${ground}` : `No: needs ${ground}`
}
