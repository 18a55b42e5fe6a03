import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { paths } from '../../kit/paths.ts'
import { isMissing } from '../../kit/web/apiError.ts'
import { session } from '../../kit/web/session.ts'
import { useUser } from '../../kit/web/user.ts'
import { Alert } from '../../kit/web/ui/Alert.tsx'
import { BackLink } from '../../kit/web/ui/BackLink.tsx'
import { Card, DescriptionList } from '../../kit/web/ui/Card.tsx'
import { MissingPage } from '../../kit/web/ui/MissingPage.tsx'
import { PageHeader } from '../../kit/web/ui/PageHeader.tsx'
import { Query } from '../../kit/web/ui/Query.tsx'
import { laterPart } from '../../kit/web/ui/laterPart.ts'
import { EmptyState, Skeleton } from '../../kit/web/ui/States.tsx'
import { DateTime } from '../../kit/web/ui/Values.tsx'
import type { Nda } from '../contract.ts'
import { Acceptances } from './Acceptances.tsx'
import { NdaFrame, ndaTitle } from './NdaFrame.tsx'
import { NdaWords } from './NdaWords.tsx'
import { Versions } from './Versions.tsx'
import { ndaQuery } from './calls.ts'

const NdaEditor = laterPart(
  async () => (await import('./NdaEditor.tsx')).NdaEditor,
  <Skeleton className="h-96 rounded-xl" />,
)

// While the data is on its way. Only owners write an NDA.
if (session.user()?.role === 'DEVELOPER') NdaEditor.preload()

/** The NDA of one campaign: its owner writes it, admins look it up, and testers read it. */
export const NdaPage = () => {
  const { id = '' } = useParams()
  const nda = useQuery(ndaQuery(id))
  if (isMissing(nda.error)) return <NotFound />
  return (
    <>
      <PageHeader
        title={nda.data ? `${ndaTitle}: ${nda.data.campaign.title}` : ndaTitle}
        back={<BackLink to={paths.campaign(id)}>Campaign</BackLink>}
      />
      <Query of={nda} loading={<Loading />} errorTitle="Failed to load the NDA">
        {loaded => <Loaded nda={loaded} />}
      </Query>
    </>
  )
}

const Loaded = ({ nda }: { nda: Nda }) => {
  const isTester = useUser().role === 'TESTER'
  return (
    <div className="grid max-w-4xl gap-5">
      {nda.mayChange ? <NdaEditor nda={nda} /> : <Text nda={nda} />}
      {nda.accepted && <Accepted accepted={nda.accepted} current={nda.current} />}
      {!isTester && nda.versions.length > 0 && (
        <>
          <Versions nda={nda} />
          <Acceptances campaignId={nda.campaign.id} />
        </>
      )}
    </div>
  )
}

const Text = ({ nda: { current } }: { nda: Nda }) =>
  current === null ? (
    <EmptyState title="No NDA" hint="This campaign does not require an NDA." />
  ) : (
    <NdaFrame version={current.version} from={<DateTime at={current.setAt} />} text={current.text} />
  )

type Shown = { accepted: NonNullable<Nda['accepted']>; current: Nda['current'] }

/** Shows a tester what they accepted, with its text even if there is a newer version. */
const Accepted = ({ accepted, current }: Shown) => (
  <Card title="What you accepted">
    {current !== null && current.version > accepted.version && (
      <Alert tone="blue" className="mb-4">
        The developer has since changed the NDA. While you are asked to accept the new version, you will find it on the
        page of your test.
      </Alert>
    )}
    <DescriptionList
      items={[
        { label: 'Version', value: accepted.version },
        { label: 'Name', value: accepted.name },
        { label: 'Accepted', value: <DateTime at={accepted.acceptedAt} withTime /> },
        { label: 'IP address', value: accepted.ip },
      ]}
    />
    {accepted.version !== current?.version && (
      <div className="mt-4">
        <NdaWords text={accepted.text} label="The version that you accepted" />
      </div>
    )}
  </Card>
)

const NotFound = () => (
  <MissingPage
    title="Campaign not found"
    hint="Check the URL, or find the campaign in your list."
    to={paths.campaigns}
    back="Back to campaigns"
  />
)

const Loading = () => (
  <div role="status" className="grid max-w-4xl gap-5">
    <span className="sr-only">Loading the NDA</span>
    <Skeleton className="h-96 rounded-xl" />
    <Skeleton className="h-40 rounded-xl" />
  </div>
)
