import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { deviceFingerprint } from '../../kit/web/deviceFingerprint.ts'
import { paths } from '../../kit/paths.ts'
import { Alert } from '../../kit/web/ui/Alert.tsx'
import { DescriptionList } from '../../kit/web/ui/Card.tsx'
import { Dialog } from '../../kit/web/ui/Dialog.tsx'
import { useDiscarding } from '../../kit/web/ui/FormDialog.tsx'
import { notify } from '../../kit/web/ui/toast.tsx'
import { Money } from '../../kit/web/ui/Values.tsx'
import type { Campaign } from '../../campaigns/contract.ts'
import { hasTesterList } from '../../campaigns/rules.ts'
import { proRata } from '../../kit/money.ts'
import { counted, quoted } from '../../kit/words.ts'
import { NdaText } from '../../nda/web/face.tsx'
import { DeveloperFigures } from '../../reputation/web/face.tsx'
import { staysAfterEndDays, waitingEndsDays, waitingMayLeaveDays } from '../terms.ts'
import { api, refreshTests } from './calls.ts'
import { rememberDevice } from './device.ts'
import { JoinForm, type JoinAnswers } from './JoinForm.tsx'

type Props = { campaign: Campaign; onClose: () => void }

export const JoinDialog = ({ campaign, onClose }: Props) => {
  const navigate = useNavigate()
  const waits = !campaign.actions.includes('join')
  const join = useMutation({
    mutationFn: ({ device, address, bench }: JoinAnswers & { bench: boolean }) => {
      rememberDevice({ osVersion: '', manufacturer: '', ...device })
      const deviceInfo = { ...device, fingerprint: deviceFingerprint() }
      return api.join({
        params: { id: campaign.id },
        body: { deviceInfo, ...address, ...(bench && { waitlist: true }) },
      })
    },
    onSuccess: async ({ id, status }) => {
      const where = status === 'WAITLISTED' ? 'You are on the bench of' : 'You joined'
      notify.success(`${where} ${quoted(campaign.title)}`)
      void refreshTests()
      await navigate(paths.myTest(id))
    },
    // The campaign may be full, paused or over: reloads the screen behind the dialog.
    onError: () => void refreshTests(),
  })
  const [isEntered, setEntered] = useState(false)
  const { dismiss, question } = useDiscarding(isEntered, onClose)
  return (
    <>
      <Dialog
        open
        onOpenChange={dismiss}
        title={`${waits ? 'Wait for a seat in' : 'Join'} ${quoted(campaign.title)}`}
        locked={join.isPending}
      >
        <JoinForm
          campaign={campaign}
          terms={
            <div>
              {waits && <Bench />}
              <Terms campaign={campaign} />
            </div>
          }
          // The same name as the button that opened the dialog.
          submitLabel={waits ? 'Wait for a seat' : 'Join Campaign'}
          onSubmit={answers => join.mutate({ ...answers, bench: waits })}
          loading={join.isPending}
          // The refusal of a seat that is gone does not mention the bench.
          error={join.variables?.bench === waits ? join.error : null}
          onEntered={setEntered}
          onCancel={dismiss}
        />
      </Dialog>
      {question}
    </>
  )
}

const Bench = () => (
  <Alert tone="blue" title="All seats are taken" className="mb-4">
    You get a place in line. When a seat opens up, it is held for the next tester in line for 24 hours; we will tell you
    when it is your turn. You can leave the line at any time.
  </Alert>
)

const Terms = ({ campaign }: { campaign: Campaign }) => {
  const { payPerTesterCents, durationDays, dailyCheckIn, dropHours, accessMode, feedbackQuestions } = campaign
  const listed = hasTesterList(accessMode)
  return (
    <div className="grid gap-4">
      <DescriptionList
        className="rounded-md border bg-background px-3"
        items={[
          { label: 'You earn', value: <Money cents={payPerTesterCents} />, strong: true },
          { label: 'For testing', value: counted(durationDays, 'day') },
          ...(listed ? [{ label: 'Days count', value: 'From your opt-in on Google Play' }] : []),
          { label: 'Check-in', value: dailyCheckIn ? 'Once a day' : 'Optional' },
          {
            label: 'At the end',
            value: `Submit a proof of your testing${feedbackQuestions > 0 ? ` and answer ${counted(feedbackQuestions, 'question')}` : ''}`,
          },
        ]}
      />
      <section>
        <h3 className="mb-1 font-semibold wrap-anywhere">How {campaign.developer.name} reviews</h3>
        <DeveloperFigures developerId={campaign.developer.id} />
      </section>
      <Alert tone="yellow">
        You are not paid if you leave early or are dropped
        {dailyCheckIn && `, which happens after ${dropHours} hours without a check-in`}.
      </Alert>
      {listed && <Waiting campaign={campaign} />}
      {campaign.ndaVersion !== null && <AskedForNda campaignId={campaign.id} listed={listed} />}
    </div>
  )
}

/** Read here, accepted after joining. */
const AskedForNda = ({ campaignId, listed }: { campaignId: string; listed: boolean }) => {
  const [open, setOpen] = useState(false)
  return (
    <Alert tone="blue" title="The developer requires an NDA">
      <p>
        After joining, you accept it with your full name. Then{' '}
        {listed ? 'the developer can let you in' : 'you get the link to the app and can begin'}.
      </p>
      <details className="mt-2" onToggle={event => setOpen(event.currentTarget.open)}>
        <summary className="font-medium">Read the NDA</summary>
        <div className="mt-2">{open && <NdaText campaignId={campaignId} />}</div>
      </details>
    </Alert>
  )
}

/** What happens between joining and the opt-in, and after the end. */
const Waiting = ({ campaign: { payPerTesterCents, durationDays, accessMode } }: { campaign: Campaign }) => (
  <Alert title="Getting in and staying in">
    <ul className="mt-1 grid list-disc gap-1 pl-4">
      <li>
        First the developer adds your Google account to the{' '}
        {accessMode === 'GOOGLE_GROUP' ? 'Google Group of this test' : 'tester list'}. We will tell you when that is
        done. No check-in is due while you wait.
      </li>
      <li>
        After {waitingMayLeaveDays} days of waiting you may leave with one day’s pay (
        <Money cents={proRata(payPerTesterCents, 1, durationDays)} />
        ). After {waitingEndsDays} days the test ends automatically with the same pay.
      </li>
      <li>
        Please stay opted in until the developer has applied to Google, even after your test is verified. We will tell
        you when they have; at the latest, you may opt out {staysAfterEndDays} days after the campaign has ended.
      </li>
    </ul>
  </Alert>
)
