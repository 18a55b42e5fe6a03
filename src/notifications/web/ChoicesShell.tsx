import { SkeletonList } from '../../kit/web/ui/States.tsx'
import { ChoicesHint } from './ChoicesHint.tsx'

/** The choices before they are known, also before their code has loaded. */
export const ChoicesShell = () => (
  <div className="grid gap-5">
    <ChoicesHint />
    <SkeletonList count={6} />
  </div>
)
