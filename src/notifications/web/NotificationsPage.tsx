import { useInfiniteQuery } from '@tanstack/react-query'
import { BellOff, CheckCheck, SlidersHorizontal } from 'lucide-react'
import { paths } from '../../kit/paths.ts'
import { Button, ButtonLink } from '../../kit/web/ui/Button.tsx'
import { Card } from '../../kit/web/ui/Card.tsx'
import { PageHeader } from '../../kit/web/ui/PageHeader.tsx'
import { InfiniteQuery } from '../../kit/web/ui/Query.tsx'
import { EmptyState, SkeletonList } from '../../kit/web/ui/States.tsx'
import { passFocusOnLeave } from '../../kit/web/ui/focus.ts'
import { notificationsHead } from './heads.ts'
import { NotificationItem } from './NotificationItem.tsx'
import { notificationsQuery, useMarkRead } from './calls.ts'

export const NotificationsPage = () => {
  const notifications = useInfiniteQuery(notificationsQuery)
  const markRead = useMarkRead()
  const unread = notifications.data?.pages.some(page => page.items.some(({ readAt }) => readAt === null)) ?? false
  return (
    <div className="mx-auto max-w-3xl">
      <PageHeader
        {...notificationsHead}
        actions={
          <>
            {unread && (
              <Button ref={passFocusOnLeave} variant="outline" onClick={() => markRead.mutate(undefined)}>
                <CheckCheck aria-hidden /> Mark all as read
              </Button>
            )}
            <ButtonLink variant="outline" to={paths.notificationChoices}>
              <SlidersHorizontal aria-hidden /> Settings
            </ButtonLink>
          </>
        }
      />
      <InfiniteQuery
        of={notifications}
        loading={<SkeletonList count={6} className="h-20" />}
        errorTitle="Failed to load notifications"
        empty={
          <EmptyState
            title="No notifications yet"
            hint="Updates on approvals, check-ins, reviews and payouts appear here."
            icon={<BellOff aria-hidden />}
          />
        }
      >
        {items => (
          <Card flush>
            <ul className="divide-y">
              {items.map(each => (
                <NotificationItem key={each.id} of={each} onRead={() => markRead.mutate([each.id])} />
              ))}
            </ul>
          </Card>
        )}
      </InfiniteQuery>
    </div>
  )
}
