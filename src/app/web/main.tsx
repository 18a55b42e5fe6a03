import '../../kit/web/zodConfig.ts'
import './styles.css'
import { StrictMode, startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router/dom'
import { provideCalls } from '../../kit/web/api.ts'
import { reloadOnMissingPart } from '../../kit/web/newVersion.ts'
import { endpointTable } from './endpointTable.ts'
import { router } from './routes.tsx'
import { session } from '../../kit/web/session.ts'

provideCalls(endpointTable)
session.restore()
reloadOnMissingPart()

let ahead: Promise<void> | undefined

/** Not before somebody is signed in: the public screens do without the code. */
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
 * As a transition: rendered in slices, between which the page responds to input, and committed in one step. Not so the screens
 * that are navigated to: in slices they took twice as long, and what arrived meanwhile made them begin anew (decision 033).
 */
const draw = () => {
  const root = createRoot(document.getElementById('root')!)
  startTransition(() =>
    root.render(
      <StrictMode>
        <RouterProvider router={router} useTransitions={false} />
      </StrictMode>,
    ),
  )
}

/** With what it shows: what comes after a screen is drawn is rendered in one piece, and moves what stands there. */
const longestWaitMs = 500

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
