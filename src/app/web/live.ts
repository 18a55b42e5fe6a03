/** Asks again for what changed elsewhere, on the screen that is open. */
import type { Topic } from '../../events/terms.ts'
import { startLive } from '../../events/web/live.ts'
import { isRefusal } from '../../kit/web/apiError.ts'
import { invalidate, queryClient } from '../../kit/web/query.ts'
import { gather } from './gather.ts'
import { liveKeys } from './liveKeys.ts'

const everything = 'EVERYTHING'

const changes = gather<Topic | typeof everything>({
  work: async changed => {
    if (changed.includes(everything)) return queryClient.invalidateQueries()
    return invalidate(...changed.flatMap(topic => (topic === everything ? [] : liveKeys[topic])))
  },
  isLookedAt: () => document.visibilityState === 'visible',
  // What happens at once, such as a proof with its notification.
  soonMs: 100,
  // Asking again ends a request that is on its way, so that with many changes a slow one would never be answered.
  restMs: 400,
  longestMs: 5000,
})

document.addEventListener('visibilitychange', changes.lookedAt)

startLive({
  onChange: changed => {
    for (const topic of changed ?? [everything]) changes.add(topic)
  },
  // What failed while no server could be reached, although the screen shows it: nothing else would ask for it again.
  onReached: () =>
    void queryClient.refetchQueries({
      type: 'active',
      predicate: ({ state: { error, fetchStatus } }) => error !== null && fetchStatus === 'idle' && !isRefusal(error),
    }),
})
