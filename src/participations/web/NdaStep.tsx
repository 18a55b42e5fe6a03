import { useMutation, useQuery } from '@tanstack/react-query'
import { Suspense, lazy, useState } from 'react'
import { useNow } from '../../kit/web/now.ts'
import { Alert } from '../../kit/web/ui/Alert.tsx'
import { Button } from '../../kit/web/ui/Button.tsx'
import { Card } from '../../kit/web/ui/Card.tsx'
import { Field } from '../../kit/web/ui/Field.tsx'
import { Form, useSchemaForm } from '../../kit/web/ui/Form.tsx'
import { Input } from '../../kit/web/ui/Input.tsx'
import { Query } from '../../kit/web/ui/Query.tsx'
import { Skeleton } from '../../kit/web/ui/States.tsx'
import { notify } from '../../kit/web/ui/toast.tsx'
import { DateTime, Money, RelativeTime } from '../../kit/web/ui/Values.tsx'
import { hasTesterList } from '../../campaigns/rules.ts'
import { acceptanceNotice } from '../../nda/terms.ts'
import { NdaWords, ndaQuery } from '../../nda/web/face.tsx'
import type { CampaignTester } from '../contract.ts'
import { api, refreshTests } from './calls.ts'
import { leavingPay } from './leavingPay.ts'

const LeaveDialog = lazy(async () => ({ default: (await import('./LeaveDialog.tsx')).LeaveDialog }))

type Props = { of: CampaignTester }

/** The NDA that waits for the tester: read, type the name, accept; or refuse a changed one and leave with pay. */
export const NdaStep = ({ of: test }: Props) => {
  const changed = test.nda?.accepted != null
  return (
    <Card title={changed ? 'The NDA has changed' : 'Accept the NDA'} className="mb-5">
      <div className="grid gap-4">
        <What of={test} />
        <Query
          of={useQuery(ndaQuery(test.campaign.id))}
          loading={<Skeleton className="h-72 rounded-md" />}
          errorTitle="Failed to load the NDA"
        >
          {({ current }) =>
            current === null ? (
              <p className="text-muted-foreground">The developer no longer requires an NDA.</p>
            ) : (
              <>
                <NdaWords text={current.text} label={`The NDA, version ${current.version}`} />
                <Accept of={test} version={current.version} />
              </>
            )
          }
        </Query>
      </div>
    </Card>
  )
}

/** What is blocked until the NDA is accepted, and what is not. */
const What = ({ of: { nda, nextStep, waiting, atRisk, deadlineAt, status, campaign } }: Props) => {
  if (nda?.accepted != null)
    return (
      <p>
        You accepted version {nda.accepted}. Your link, days, check-ins, proof and pay are not affected, whether or not
        you accept this one.
      </p>
    )
  if (nextStep !== 'ACCEPT_NDA' || waiting !== null || status !== 'ACTIVE' || nda?.refusalPayCents != null)
    return (
      <p>
        The developer has added an NDA since you joined. Your days, check-ins, proof and pay are not affected. The app
        link and bug reports are available again once you accept.
      </p>
    )
  return (
    <Alert tone={atRisk ? 'yellow' : 'blue'}>
      {hasTesterList(campaign.accessMode)
        ? 'Once you have accepted, the developer can let you in. Your days begin when you opt in on Google Play.'
        : 'You get the app once you have accepted, and your days begin then.'}
      {deadlineAt && (
        <>
          {' '}
          Do this before <DateTime at={deadlineAt} withTime /> (<RelativeTime at={deadlineAt} />
          ), or you lose your seat.
        </>
      )}
    </Alert>
  )
}

const schema = async () => (await import('../../nda/contract.ts')).AcceptNda.pick({ name: true })

const Accept = ({ of: test, version }: Props & { version: number }) => {
  const form = useSchemaForm(schema, { name: '' })
  const [refusing, setRefusing] = useState(false)
  const { campaign, actions } = test
  const now = useNow()
  const accept = useMutation({
    mutationFn: ({ name }: { name: string }) => api.acceptNda({ params: { id: campaign.id }, body: { name, version } }),
    onSuccess: async () => {
      notify.success('NDA accepted')
      await refreshTests()
    },
    // The text may have changed, or the seat may be lost: reloads the screen.
    onError: () => void refreshTests(),
  })
  return (
    <>
      <Form
        form={form}
        onSubmit={accept.mutate}
        loading={accept.isPending}
        submitError={accept.error}
        submitLabel="Accept the NDA"
        actions={
          actions.includes('refuseNda') && (
            <Button variant="ghost" disabled={accept.isPending} onClick={() => setRefusing(true)}>
              Refuse and leave with <Money cents={leavingPay(test, now)} />
            </Button>
          )
        }
      >
        <Field of={form} name="name" label="Your full name" hint={acceptanceNotice}>
          {control => <Input {...control} autoComplete="name" />}
        </Field>
      </Form>
      {refusing && (
        <Suspense>
          <LeaveDialog of={test} open onOpenChange={setRefusing} />
        </Suspense>
      )}
    </>
  )
}
