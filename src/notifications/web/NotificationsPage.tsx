import { useInfiniteQuery } from '@tanstack/react-query'
import { BellOff, CheckCheck, SlidersHorizontal } from 'lucide-react'
import { paths } from '../../kit/paths.ts'
import type { Role } from '../../kit/roles.ts'
import { useUser } from '../../kit/web/user.ts'
import { Button, ButtonLink } from '../../kit/web/ui/Button.tsx'
import { Card } from '../../kit/web/ui/Card.tsx'
import { shownOf } from '../../kit/web/ui/foundWords.ts'
import { NoRows } from '../../kit/web/ui/NoRows.tsx'
import { PageHeader } from '../../kit/web/ui/PageHeader.tsx'
import { InfiniteQuery } from '../../kit/web/ui/Query.tsx'
import { Select } from '../../kit/web/ui/Select.tsx'
import { EmptyState, SkeletonList } from '../../kit/web/ui/States.tsx'
import { Toolbar } from '../../kit/web/ui/Toolbar.tsx'
import type { NotificationGroup } from '../contract.ts'
import { aboutTopics, type Topic, topicsOf } from '../topics.ts'
import { type CenterFilters, noFilters, useCenterFilters } from './centerFilters.ts'
import { GroupItem } from './GroupItem.tsx'
import { notificationsHead } from './heads.ts'
import { groupsQuery, notificationsQuery, useMarkRead } from './calls.ts'

export const NotificationsPage = () => {
  const { filters, filtered, change } = useCenterFilters()
  const groups = useInfiniteQuery(groupsQuery(filters))
  const newest = useInfiniteQuery(notificationsQuery)
  const markRead = useMarkRead()
  // As the bell says; the list may know of more already.
  const unread =
    (newest.data?.pages[0]?.items[0]?.unreadCount ?? 0) > 0 ||
    groups.data?.pages.some(page => page.items.some(group => group.unread > 0))
  return (
    <div className="mx-auto max-w-3xl">
      <PageHeader
        {...notificationsHead}
        actions={
          <>
            {unread && (
              <Button variant="outline" onClick={() => markRead.mutate({})}>
                <CheckCheck aria-hidden /> Mark all as read
              </Button>
            )}
            <ButtonLink variant="outline" to={paths.notificationChoices}>
              <SlidersHorizontal aria-hidden /> Settings
            </ButtonLink>
          </>
        }
      />
      <Filters filters={filters} onChange={change} />
      <InfiniteQuery
        of={groups}
        loading={<SkeletonList count={6} className="h-20" />}
        errorTitle="Failed to load notifications"
        found={{ words: shownOf('line'), by: filters }}
        empty={
          <NoRows
            filtered={filtered}
            title="No notifications found"
            hint="No notifications match these filters."
            onClear={() => change(noFilters)}
            none={<NoneYet />}
          />
        }
      >
        {items => <ByCampaign groups={items} filters={filters} onChange={change} />}
      </InfiniteQuery>
    </div>
  )
}

type Change = (changed: Partial<CenterFilters>) => void

const Filters = ({ filters: { show, kind, campaign }, onChange }: { filters: CenterFilters; onChange: Change }) => {
  const { role } = useUser()
  const kinds = topicsOf(role).map(topic => ({ value: topic, label: aboutTopics[topic].title }))
  return (
    <Toolbar className="grid-cols-2">
      <Select
        aria-label="Show"
        className="sm:w-36"
        options={[
          { value: '', label: 'All' },
          { value: 'unread', label: 'Unread' },
        ]}
        value={show ?? ''}
        onValue={value => onChange({ show: value === 'unread' ? 'unread' : null })}
      />
      <Select
        aria-label="Kind"
        className="sm:w-60"
        options={[{ value: '', label: 'All kinds' }, ...kinds]}
        value={kind ?? ''}
        onValue={value => onChange({ kind: value === '' ? null : (value as Topic) })}
      />
      {campaign !== '' && (
        <Button variant="outline" onClick={() => onChange({ campaign: '' })}>
          All campaigns
        </Button>
      )}
    </Toolbar>
  )
}

type ListProps = { groups: NotificationGroup[]; filters: CenterFilters; onChange: Change }

/** What has no campaign stands alone; other lines stay the same, open or not, when news joins them. */
const keyOf = ({ id, campaign, kind }: NotificationGroup) => (campaign && kind) ?? id

/** Campaigns stand in the order of their newest news. */
const ByCampaign = ({ groups, filters, onChange }: ListProps) => {
  const markRead = useMarkRead()
  const byCampaign = [...Map.groupBy(groups, ({ campaign }) => campaign?.id ?? '')]
  return (
    <div className="grid gap-5">
      {byCampaign.map(([id, ofCampaign]) => {
        const title = ofCampaign[0]?.campaign?.title
        return (
          <Card
            key={id}
            flush
            title={<span className="wrap-anywhere">{title ?? 'Your account'}</span>}
            action={
              title !== undefined &&
              filters.campaign === '' &&
              byCampaign.length > 1 && (
                <Button
                  variant="link"
                  className="-my-3 min-h-11 text-xs md:my-0 md:min-h-6"
                  onClick={() => onChange({ campaign: id })}
                >
                  Show only this campaign<span className="sr-only">: {title}</span>
                </Button>
              )
            }
          >
            <ul className="divide-y">
              {ofCampaign.map(group => (
                <GroupItem
                  key={keyOf(group)}
                  of={group}
                  onRead={() => markRead.mutate({ group: group.id })}
                  onReadOne={one => markRead.mutate({ ids: [one] })}
                />
              ))}
            </ul>
          </Card>
        )
      })}
    </div>
  )
}

const hints: Record<Role, string> = {
  TESTER: 'Updates on your tests, reviews, bugs and withdrawals appear here.',
  DEVELOPER: 'Updates on approvals, testers, proofs and bugs appear here.',
  ADMIN: 'Appeals, payouts, refunds and disputes that need an admin appear here.',
}

const NoneYet = () => (
  <EmptyState title="No notifications yet" hint={hints[useUser().role]} icon={<BellOff aria-hidden />} />
)
