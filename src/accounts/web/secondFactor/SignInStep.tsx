import type { FactorRequest } from '../../../kit/secondFactor.ts'
import { session } from '../../../kit/web/session.ts'
import { factorApi } from '../calls.ts'
import { FactorForm } from './FactorForm.tsx'

/** The second step of signing in; the route's guard redirects afterwards. */
export const SignInStep = ({ request, onBack }: { request: FactorRequest; onBack: () => void }) => (
  <section aria-label="Second step">
    <h2 className="mb-4 text-base font-semibold">Confirm your identity</h2>
    <FactorForm
      request={request}
      onAnswer={async body => session.signIn(await factorApi.secondFactor({ body }))}
      onBack={onBack}
      backLabel="Start again"
    />
  </section>
)
