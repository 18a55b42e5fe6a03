/** Asks again for what changed elsewhere, on the screen that is open. */
import type { Topic } from '../../events/terms.ts'
import { startLive } from '../../events/web/live.ts'
import { invalidate, queryClient } from '../../kit/web/query.ts'
import { liveKeys } from './liveKeys.ts'

/** What happens at once, such as a proof with its notification, is asked for once. */
const togetherMs = 100

const waiting = new Set<Topic>()
let timer: ReturnType<typeof setTimeout> | undefined

const askAgain = () => {
  timer = undefined
  const keys = [...waiting].flatMap(topic => liveKeys[topic])
  waiting.clear()
  void invalidate(...keys)
}

startLive(changed => {
  if (changed === null) return void queryClient.invalidateQueries()
  for (const topic of changed) waiting.add(topic)
  timer ??= setTimeout(askAgain, togetherMs)
})
