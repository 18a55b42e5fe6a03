/** Paused jobs: who paused them and why, and how to resume them. */
import { useMutation } from '@tanstack/react-query'
import { Pause as PauseIcon, Play } from 'lucide-react'
import { type ComponentType, lazy, Suspense, useState } from 'react'
import { messageOf } from '../../kit/web/apiError.ts'
import { Alert } from '../../kit/web/ui/Alert.tsx'
import { Button } from '../../kit/web/ui/Button.tsx'
import { notify } from '../../kit/web/ui/toast.tsx'
import { RelativeTime } from '../../kit/web/ui/Values.tsx'
import { WhileLoading } from '../../kit/web/ui/WhileLoading.tsx'
import type { JobPause } from '../contract.ts'
import { api, refreshOperations } from './calls.ts'

const PauseDialog: ComponentType<{ onClose: () => void }> = lazy(async () => ({
  default: (await import('./PauseDialog.tsx')).PauseDialog,
}))

export const PauseButton = () => {
  const [asks, setAsks] = useState(false)
  return (
    <>
      <Button variant="outline" onClick={() => setAsks(true)}>
        <PauseIcon aria-hidden /> Pause jobs
      </Button>
      {asks && (
        <Suspense fallback={<WhileLoading onGiveUp={() => setAsks(false)} />}>
          <PauseDialog onClose={() => setAsks(false)} />
        </Suspense>
      )}
    </>
  )
}

export const PausedBanner = ({ of: { reason, note, since, by, reconciledAt } }: { of: JobPause }) => (
  <Alert tone="yellow" title={reason === 'ADMIN' ? 'Jobs are paused' : 'This is a restored copy: jobs are paused'}>
    <p className="whitespace-pre-line">{note}</p>
    <p>
      Paused {by !== null && `by ${by} `}
      <RelativeTime at={since} />. Payouts, refunds and deadlines are on hold
      {reason === 'ADMIN' ? '; emails, data deletion and data checks continue.' : ', and no email is sent.'}
    </p>
    {reason === 'ADMIN' ? <ResumeButton /> : <ByCommand reconciledAt={reconciledAt} />}
  </Alert>
)

const ResumeButton = () => {
  const resume = useMutation({
    mutationFn: () => api.resumeJobs(),
    onSuccess: () => notify.success('Jobs resumed'),
    onError: error => notify.error(messageOf(error, 'Failed to resume the jobs')),
    // Also after a refusal, because another admin may have resumed them.
    onSettled: refreshOperations,
  })
  return (
    <Button variant="outline" className="mt-2" loading={resume.isPending} onClick={() => resume.mutate()}>
      <Play aria-hidden /> Resume jobs
    </Button>
  )
}

/** What the provider did meanwhile can be found only on the server, where the keys and the provider's file are. */
const ByCommand = ({ reconciledAt }: Pick<JobPause, 'reconciledAt'>) => (
  <p>
    {reconciledAt ? (
      <>
        Compared with the payment provider <RelativeTime at={reconciledAt} />. On the server,{' '}
        <code>npm run resume</code> resumes them.
      </>
    ) : (
      <>
        On the server, run <code>npm run reconcile</code>, check its output, and then <code>npm run resume</code>.
      </>
    )}
  </p>
)
