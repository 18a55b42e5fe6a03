/** Reloads what changed elsewhere on the open screen. */
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
  // Changes that belong together, such as a proof and its notification.
  soonMs: 100,
  // Asking again cancels a request under way, so with many changes a slow one would never be answered.
  restMs: 400,
  longestMs: 5000,
})

document.addEventListener('visibilitychange', changes.lookedAt)

startLive({
  onChange: changed => {
    for (const topic of changed ?? [everything]) changes.add(topic)
  },
  // Retries what failed while no server could be reached, since nothing else would retry it while the screen is open.
  onReached: () =>
    void queryClient.refetchQueries({
      type: 'active',
      predicate: ({ state: { error, fetchStatus } }) => error !== null && fetchStatus === 'idle' && !isRefusal(error),
    }),
})
