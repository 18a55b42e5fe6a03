import '../../kit/web/zodConfig.ts'
import './styles.css'
import { StrictMode, startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router/dom'
import { provideCalls } from '../../kit/web/api.ts'
import { provideDrafts } from '../../kit/web/drafts.ts'
import { reloadOnMissingPart } from '../../kit/web/newVersion.ts'
import { endpointTable } from './endpointTable.ts'
import { startRouter } from './routes.tsx'
import { session } from '../../kit/web/session.ts'

provideCalls(endpointTable)
provideDrafts(() => import('./draftsHere.ts'))
reloadOnMissingPart()

/** How long the first screen waits for its data: data that arrives later is rendered in one piece, and shifts the layout. */
const longestWaitMs = 500

const newRoot = () => createRoot(document.getElementById('root')!)

const start = () => {
  const router = startRouter()
  let ahead: Promise<void> | undefined

  /** Only once somebody is signed in: public screens do not need this code. */
  const startAhead = () => {
    if (!session.user()) return
    ahead ??= import('./ahead.ts').then(
      module => module.startAhead(router),
      () => undefined,
    )
  }

  session.subscribe(startAhead)
  startAhead()

  /**
   * Renders the first screen as a transition: in slices, so that the page responds to input, and committed in one step. Later
   * screens are not: in slices they took twice as long, and whatever arrived meanwhile made them start over (decision 033).
   */
  const draw = () => {
    const root = newRoot()
    startTransition(() =>
      root.render(
        <StrictMode>
          <RouterProvider router={router} useTransitions={false} />
        </StrictMode>,
      ),
    )
  }

  const drawWithData = () => {
    if (!ahead) return draw()
    const late = new Promise(resolve => setTimeout(resolve, longestWaitMs))
    return void Promise.race([ahead, late]).then(draw)
  }

  // Until the first screen's code has loaded, the document shows its shell (shells.tsx).
  if (router.state.initialized) drawWithData()
  else {
    const stopWaiting = router.subscribe(({ initialized }) => {
      if (!initialized) return
      stopWaiting()
      drawWithData()
    })
  }
}

const canStore = () => {
  try {
    localStorage.getItem('accessToken')
    return true
  } catch {
    return false
  }
}

if (canStore()) {
  session.restore()
  // In a task of its own, since running the modules has already kept a phone busy for 50 ms.
  setTimeout(start)
} else {
  void import('./StorageBlocked.tsx').then(({ StorageBlocked }) => newRoot().render(<StorageBlocked />))
}
