import { Suspense, lazy, useSyncExternalStore } from 'react'
import { secondFactor } from '../../../kit/web/secondFactor.ts'

const StepUpDialog = lazy(async () => ({ default: (await import('./StepUpDialog.tsx')).StepUpDialog }))

/** Shows the step-up that a refused request is waiting for. */
export const StepUpHost = () => {
  const stepUp = useSyncExternalStore(secondFactor.subscribe, secondFactor.stepUp)
  return (
    stepUp && (
      <Suspense>
        <StepUpDialog stepUp={stepUp} />
      </Suspense>
    )
  )
}
