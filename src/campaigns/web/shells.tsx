/** The lists of campaigns before their code has loaded (src/app/web/screenShells.tsx). */
import { clsx } from 'clsx'
import type { ComponentProps, ReactNode } from 'react'
import type { Role } from '../../kit/roles.ts'
import { Said } from '../../kit/web/ui/Said.tsx'
import { Skeleton, SkeletonList } from '../../kit/web/ui/States.tsx'
import { CampaignToolbar, sortsOf } from './CampaignToolbar.tsx'
import { PendingDescription, PendingFrame } from './PendingFrame.tsx'
import { pendingLists } from './pendingLists.ts'
import { unknownBadge } from '../../kit/web/ui/unknownBadge.tsx'
import { Tabs } from '../../kit/web/ui/Tabs.tsx'
import { campaignFiltersIn } from './campaignFilters.ts'
import { CampaignCardSkeleton, CardFrame, CompactFrame, cardGrid, cardRows } from './cardFrames.tsx'

export const CampaignsShell = ({ role }: { role: Role }) =>
  role === 'ADMIN' ? (
    <>
      <div className="xl:hidden">
        <InertToolbar role={role} sorts={sortsOf[role]} />
        <Each className={cardGrid} card={<CardShell />} />
      </div>
      <div className="max-xl:hidden">
        <InertToolbar role={role} sorts={[]} />
        <SkeletonList count={12} className="h-9" />
      </div>
    </>
  ) : (
    <>
      <InertToolbar role={role} sorts={sortsOf[role]} />
      {role === 'TESTER' && <Each className="gap-3 sm:hidden" card={<CompactShell />} />}
      <Each className={clsx(cardGrid, role === 'TESTER' && 'max-sm:hidden')} card={<CardShell />} />
    </>
  )

const InertToolbar = ({ role, sorts }: Pick<ComponentProps<typeof CampaignToolbar>, 'role' | 'sorts'>) => (
  <div inert>
    <CampaignToolbar
      role={role}
      filters={campaignFiltersIn(role, new URLSearchParams())}
      onChange={() => undefined}
      sorts={sorts}
    />
  </div>
)

/** shell.js puts one card for each campaign of the answer in place of the skeletons. */
const Each = ({ className, card }: { className: string; card: ReactNode }) => (
  <div data-each className={clsx('grid', className)}>
    <template>{card}</template>
    <CampaignCardSkeleton />
    <CampaignCardSkeleton />
    <CampaignCardSkeleton />
  </div>
)

/** Without a chosen tab, which depends on the address. */
export const PendingShell = () => (
  <>
    <div inert>
      <Tabs
        label="Pending Approvals"
        value=""
        onValue={() => undefined}
        tabs={Object.values(pendingLists).map(label => ({ value: label as string, label, content: null }))}
      />
    </div>
    {/* How high it is, and so where the next one stands, depends on it. */}
    <div data-each="1" className="grid gap-4">
      {/* A dispute would be told first. */}
      <template data-needs={JSON.stringify({ dispute: [''] })}>
        <PendingFrame
          {...texts}
          name={<Said field="developer.name" />}
          facts={waiting}
          badge={unknownBadge}
          buttons={<Skeleton className="h-9 w-40" />}
        >
          <div className="grid gap-4">
            <PendingDescription>{texts.description}</PendingDescription>
            <Skeleton className="h-40" />
          </div>
        </PendingFrame>
      </template>
      <SkeletonList className="h-80" />
    </div>
  </>
)

/** Takes the place of how long it has waited: with it, a long name may wrap. */
const waiting = (
  <span className="invisible">
    {' '}
    · waiting for <span className="whitespace-nowrap">3 days</span>
  </span>
)

const texts = { id: ':id', title: <Said field="title" />, description: <Said field="description" /> }

const CardShell = () => (
  <div className={clsx('min-w-0', cardRows)}>
    <CardFrame {...texts} top={<TopSkeleton />}>
      <div className="grid content-start gap-3 px-5 pb-4">
        <Skeleton className="h-10" />
        <Skeleton className="h-4 w-1/2" />
      </div>
      <footer className="border-t px-5 py-3">
        <Skeleton className="h-9 w-28" />
      </footer>
    </CardFrame>
  </div>
)

const CompactShell = () => (
  <div className="min-w-0">
    <CompactFrame {...texts} top={<TopSkeleton />}>
      <Skeleton className="mt-1 h-16 w-2/3" />
      <Skeleton className="mt-2 h-9 w-60" />
    </CompactFrame>
  </div>
)

const TopSkeleton = () => (
  <>
    <Skeleton className="my-0.5 h-4 w-20" />
    <Skeleton className="h-5 w-16" />
  </>
)
