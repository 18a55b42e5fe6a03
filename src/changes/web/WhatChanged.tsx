import { useQuery } from '@tanstack/react-query'
import type { CampaignTester } from '../../participations/contract.ts'
import { Query } from '../../kit/web/ui/Query.tsx'
import { Versions } from './Versions.tsx'
import { versionsQuery } from './calls.ts'

/** On a test's screen: what the developer has changed since; empty before the first version. */
export const WhatChanged = ({ of: test }: { of: CampaignTester }) => {
  const versions = useQuery(versionsQuery(test.campaign.id))
  return (
    <Query of={versions} loading={null} errorTitle="Failed to load the changes" empty={<></>}>
      {loaded => (
        <section aria-labelledby="what-changed" className="grid gap-3">
          <h2 id="what-changed" className="text-base font-semibold">
            What changed
          </h2>
          <Versions of={loaded} />
        </section>
      )}
    </Query>
  )
}
