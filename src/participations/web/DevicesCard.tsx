import { useQuery } from '@tanstack/react-query'
import { Smartphone } from 'lucide-react'
import { useUser } from '../../kit/web/user.ts'
import { deviceFingerprint } from '../../kit/web/deviceFingerprint.ts'
import { Card } from '../../kit/web/ui/Card.tsx'
import { Query } from '../../kit/web/ui/Query.tsx'
import { Skeleton } from '../../kit/web/ui/States.tsx'
import { CopyButton, RelativeTime } from '../../kit/web/ui/Values.tsx'
import type { CampaignTester } from '../contract.ts'
import { deviceOf } from '../../kit/userAgent.ts'
import { counted } from '../../kit/words.ts'
import { api } from './calls.ts'
import { participationKeys } from './keys.ts'
import { deviceWords } from './statusWords.ts'

/** The devices a tester has used, and this browser's identifier. */
export const DevicesCard = () => {
  const { role } = useUser()
  return (
    <Card
      title="Devices"
      description={role === 'TESTER' ? 'Devices you have used in your tests.' : undefined}
      footer={
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
          <p className="min-w-0">
            This browser ({deviceOf(navigator.userAgent)}):{' '}
            <code className="text-xs wrap-anywhere text-muted-foreground">{deviceFingerprint()}</code>
          </p>
          <div className="-mx-3">
            <CopyButton text={deviceFingerprint()} label="Copy identifier" />
          </div>
        </div>
      }
    >
      {role === 'TESTER' ? (
        <TestedOn />
      ) : (
        <p className="text-muted-foreground">
          A random identifier for this browser helps us detect one device behind several accounts.
        </p>
      )}
    </Card>
  )
}

type Device = { name: string; tests: number; lastJoinedAt: string }

/** Relies on the tests being sorted newest first. Bench entries do not count: the tester has not joined yet. */
const devicesOf = (tests: readonly CampaignTester[]): Device[] => {
  const joined = tests.filter(({ status }) => status !== 'WAITLISTED')
  return [...Map.groupBy(joined, ({ deviceInfo }) => deviceWords(deviceInfo))].map(([name, on]) => ({
    name,
    tests: on.length,
    lastJoinedAt: on[0]!.joinedAt,
  }))
}

const TestedOn = () => {
  const devices = useQuery({
    queryKey: participationKeys.devices,
    queryFn: async ({ signal }) => devicesOf((await api.mine({ query: { limit: 100 }, signal })).items),
  })
  return (
    <Query
      of={devices}
      loading={<Skeleton className="h-16" />}
      errorTitle="Failed to load your devices"
      empty={<p className="text-muted-foreground">No devices yet. The device you join a campaign with appears here.</p>}
    >
      {list => (
        <ul className="-my-2 divide-y">
          {list.map(({ name, tests, lastJoinedAt }) => (
            <li key={name} className="flex gap-3 py-2.5">
              <Smartphone aria-hidden className="mt-0.5 size-4 shrink-0 text-muted-foreground" />
              {/* What wraps stays below the name, and not below the icon. */}
              <span className="flex min-w-0 flex-1 flex-wrap justify-between gap-x-3">
                <span className="min-w-0 wrap-anywhere">{name}</span>
                <span className="text-muted-foreground">
                  {counted(tests, 'test')}, last joined <RelativeTime at={lastJoinedAt} />
                </span>
              </span>
            </li>
          ))}
        </ul>
      )}
    </Query>
  )
}
