import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Card } from '../../kit/web/ui/Card.tsx'
import { Query } from '../../kit/web/ui/Query.tsx'
import { Skeleton } from '../../kit/web/ui/States.tsx'
import { DateTime } from '../../kit/web/ui/Values.tsx'
import type { Nda } from '../contract.ts'
import { NdaWords } from './NdaWords.tsx'
import { versionQuery } from './calls.ts'

/** All texts that testers may have accepted; each loads when it is opened. */
export const Versions = ({ nda: { campaign, versions } }: { nda: Nda }) => (
  <Card title="Versions">
    <ul className="grid gap-2">
      {versions.map(({ version, setAt }) => (
        <li key={version}>
          <Version campaignId={campaign.id} version={version} setAt={setAt} />
        </li>
      ))}
    </ul>
  </Card>
)

const Version = ({ campaignId, version, setAt }: { campaignId: string; version: number; setAt: string }) => {
  const [open, setOpen] = useState(false)
  return (
    <details className="rounded-md border px-3 py-2 open:pb-3" onToggle={event => setOpen(event.currentTarget.open)}>
      <summary>
        <span className="font-medium">Version {version}</span>{' '}
        <span className="text-muted-foreground">
          from <DateTime at={setAt} withTime />
        </span>
      </summary>
      {open && <Words campaignId={campaignId} version={version} />}
    </details>
  )
}

const Words = ({ campaignId, version }: { campaignId: string; version: number }) => (
  <div className="mt-2">
    <Query
      of={useQuery(versionQuery(campaignId, version))}
      loading={<Skeleton className="h-40 rounded-md" />}
      errorTitle="Failed to load this version"
    >
      {({ text }) => <NdaWords text={text} label={`Version ${version}`} />}
    </Query>
  </div>
)
