/** The NDA of a campaign before the screen's code has loaded (src/app/web/screenShells.tsx). */
import { OnceSaid, Said } from '../../kit/web/ui/Said.tsx'
import { Skeleton } from '../../kit/web/ui/States.tsx'
import { NdaFrame } from './NdaFrame.tsx'

export const NdaShell = () => (
  <div className="grid max-w-4xl gap-5">
    <OnceSaid needs={{ mayChange: [false] }} until={<Skeleton className="h-96 rounded-xl" />}>
      <NdaFrame version={<Said field="current.version" />} from={null} text={<Said field="current.text" />} />
    </OnceSaid>
  </div>
)
