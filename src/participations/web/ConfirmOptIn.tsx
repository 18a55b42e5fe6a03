import { useMutation } from '@tanstack/react-query'
import { FilesInput, useUploads } from '../../attachments/web/face.tsx'
import { messageOf } from '../../kit/web/apiError.ts'
import { Alert } from '../../kit/web/ui/Alert.tsx'
import { Button } from '../../kit/web/ui/Button.tsx'
import { notify } from '../../kit/web/ui/toast.tsx'
import type { CampaignTester } from '../contract.ts'
import { api, refreshTests } from './calls.ts'

type Props = { of: Pick<CampaignTester, 'id' | 'run'>; primary: boolean }

/** The tester confirms that they are opted in, best with a screenshot, which also ends a contest. */
export const ConfirmOptIn = ({ of: { id, run }, primary }: Props) => {
  const uploads = useUploads(`opt-in:${id}`)
  const [attachmentId] = uploads.ids
  const contested = run?.contest?.endedAt === null
  const optIn = useMutation({
    mutationFn: (picture: string | undefined) =>
      api.optIn({ params: { id }, body: picture === undefined ? null : { attachmentId: picture } }),
    onSuccess: async (_, picture) => {
      uploads.release(picture === undefined ? [] : [picture])
      notify.success(thanks(run !== null, contested && picture !== undefined))
      await refreshTests()
    },
    // The seat may be lost, or the campaign may be over: reloads the screen.
    onError: () => void refreshTests(),
  })
  return (
    <div className="grid max-w-xl gap-3">
      <FilesInput
        uploads={uploads}
        label="Screenshot of the opted-in page (optional)"
        hint={`${contested ? 'It settles the doubt at once, and all your days count again, from the first one.' : 'Google Play shows this page once you are a tester. A screenshot can save you questions later.'} The developer and our admins can see it.`}
        most={1}
        camera={false}
      />
      <div className="flex flex-wrap items-center gap-3">
        <Button
          variant={primary ? 'primary' : 'outline'}
          loading={optIn.isPending}
          disabled={uploads.pending}
          onClick={() => optIn.mutate(attachmentId)}
        >
          {run ? 'I am still opted in' : 'I have opted in'}
        </Button>
        {uploads.pending && <span className="text-muted-foreground">The picture is not uploaded yet.</span>}
      </div>
      {optIn.error && <Alert tone="red">{messageOf(optIn.error, 'Failed to confirm the opt-in')}</Alert>}
    </div>
  )
}

const thanks = (again: boolean, settled: boolean) => {
  if (settled) return 'Thank you: your opt-in counts again'
  return again ? 'Thank you' : 'Opt-in confirmed: your first day has begun'
}
