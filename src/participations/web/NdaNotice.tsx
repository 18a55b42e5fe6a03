import { paths } from '../../kit/paths.ts'
import { Alert } from '../../kit/web/ui/Alert.tsx'
import { ButtonLink } from '../../kit/web/ui/Button.tsx'
import type { CampaignTester } from '../contract.ts'

/** In the list of tests: links to the test's page, where the NDA waits. */
export const NdaNotice = ({ of: { id, nda, actions } }: { of: CampaignTester }) =>
  actions.includes('acceptNda') && (
    <Alert tone="blue" className="mb-4" title={nda?.accepted == null ? 'Accept the NDA' : 'The NDA has changed'}>
      <ButtonLink size="sm" variant="outline" className="mt-2" to={paths.myTest(id)}>
        Read and accept it
      </ButtonLink>
    </Alert>
  )
