/** The ledger before the screen's code has loaded (src/app/web/screenShells.tsx). */
import { StatCard } from '../../kit/web/ui/Card.tsx'
import { FieldShell } from '../../kit/web/ui/FormShell.tsx'
import { OnceSaid, Said } from '../../kit/web/ui/Said.tsx'
import { SkeletonList } from '../../kit/web/ui/States.tsx'
import { Toolbar } from '../../kit/web/ui/Toolbar.tsx'
import { accountLabel, TransfersFrame } from './frames.tsx'
import { UpTo } from './UpTo.tsx'

const blank = '\u00A0'

export const BooksShell = () => (
  <OnceSaid until={<SkeletonList count={8} className="h-11" />}>
    <div inert>
      <Toolbar>
        <FieldShell label={accountLabel} className="sm:w-64" />
        <UpTo value={null} onChange={() => undefined} />
      </Toolbar>
    </div>
    <div className="grid gap-5">
      {/* Filled in invisibly, so that all this is shown only if there is an account. */}
      <StatCard
        label={blank}
        value={
          <span className="invisible">
            <Said field="accounts.0.id" />
          </span>
        }
        caption={blank}
      />
      <TransfersFrame>
        <div className="p-5">
          <SkeletonList count={8} className="h-9" />
        </div>
      </TransfersFrame>
    </div>
  </OnceSaid>
)
