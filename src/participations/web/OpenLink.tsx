import { useMutation } from '@tanstack/react-query'
import { isWebLink } from '../../kit/links.ts'
import { messageOf } from '../../kit/web/apiError.ts'
import { Alert } from '../../kit/web/ui/Alert.tsx'
import { Button, ButtonLink } from '../../kit/web/ui/Button.tsx'
import { CopyButton } from '../../kit/web/ui/Values.tsx'
import { QrButton } from '../../campaigns/web/face.tsx'
import type { CampaignTester, OpenedLink as Opened } from '../contract.ts'
import { api, refreshTests } from './calls.ts'
import { ConfirmOptIn } from './ConfirmOptIn.tsx'
import { GuidedCheck } from './GuidedCheck.tsx'

/**
 * The link with the account to open it with, then the confirmation. The account is loaded on a press and not kept: a query would
 * leave it in the cache.
 */
export const OpenLink = ({ of: test, primary }: { of: CampaignTester; primary: boolean }) => {
  const { id, actions, nextStep } = test
  const open = useMutation({
    mutationFn: () => api.openLink({ params: { id } }),
    // After a refusal as well: the seat may be lost, or the campaign may be over.
    onSettled: () => void refreshTests(),
  })
  return (
    <div className="grid gap-3">
      {open.data ? (
        <Account of={open.data} />
      ) : (
        <div>
          <Button variant={primary ? 'primary' : 'outline'} loading={open.isPending} onClick={() => open.mutate()}>
            Show the link and your account
          </Button>
        </div>
      )}
      {open.error && <Alert tone="red">{messageOf(open.error, 'Failed to open the link')}</Alert>}
      {(open.data || nextStep === 'OPT_IN') && actions.includes('optIn') && (
        <ConfirmOptIn of={test} primary={primary && open.data !== undefined} />
      )}
      {open.data && <GuidedCheck of={test} opened={open.data} />}
    </div>
  )
}

const Account = ({ of: { url, playEmail, groupLink } }: { of: Opened }) => (
  <ol className="grid gap-3">
    {playEmail !== null && (
      <Step label="Use this Google account">
        {/* A long address wraps, so that the button stays beside it. */}
        <span className="flex min-w-0 items-center gap-2">
          <span className="min-w-0 font-medium wrap-anywhere">{playEmail}</span>
          <CopyButton text={playEmail} label="Copy account" />
        </span>
      </Step>
    )}
    {groupLink !== null && isWebLink(groupLink) && (
      <Step label="The developer adds your Google account to this group. If Google asks you to join, use the same account.">
        <ButtonLink variant="outline" size="sm" to={groupLink} target="_blank" rel="noopener noreferrer">
          Open the Google Group<span className="sr-only"> (opens in a new tab)</span>
        </ButtonLink>
      </Step>
    )}
    {isWebLink(url) && (
      <Step label="Become a tester on Google Play, then install the app">
        <ButtonLink variant="outline" size="sm" to={url} target="_blank" rel="noopener noreferrer">
          Open Google Play<span className="sr-only"> (opens in a new tab)</span>
        </ButtonLink>
        <CopyButton text={url} label="Copy link" />
        <QrButton link={url} />
      </Step>
    )}
  </ol>
)

const Step = ({ label, children }: { label: string; children: React.ReactNode }) => (
  <li className="grid gap-1.5">
    <span className="text-muted-foreground">{label}</span>
    <span className="flex flex-wrap items-center gap-2">{children}</span>
  </li>
)
