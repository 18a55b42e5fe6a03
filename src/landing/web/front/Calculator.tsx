import { campaignDefaults, googleRule, limits } from '../../../campaigns/terms.ts'
import { centsToInput } from '../../../kit/money.ts'
import { inputLook } from '../../../kit/web/ui/inputLook.ts'
import { calculated, type Sums } from './calculated.ts'
import { RegisterLink } from './parts.tsx'

const testers = googleRule.testers
const pay = campaignDefaults.payPerTesterCents

/** Without JavaScript this is just an example. The fields can be changed once calculator.ts has loaded. */
export const Calculator = () => (
  <form
    id="calculator"
    aria-labelledby="calculator-title"
    className="mt-5 grid gap-8 rounded-2xl border bg-card p-6 shadow-card sm:p-7 lg:grid-cols-2 lg:items-center lg:gap-16"
  >
    <div>
      <h3 id="calculator-title" className="text-lg font-semibold">
        Or set your own price
      </h3>
      <p className="mt-1 text-base text-muted-foreground">
        You choose how many testers you want and what each one earns. The platform fee is all we add, and anything
        unused is refunded.
      </p>
      <div className="mt-6 grid grid-cols-2 gap-4">
        <Field name="testers" label="Testers" value={String(testers)} mode="numeric" />
        <Field name="pay" label="Pay per tester" value={centsToInput(pay)} mode="decimal" prefix="$" />
      </div>
      <p data-limits className="mt-2 text-muted-foreground">
        {limits.minTesters} to {limits.maxTesters} testers, at least $1 each. The number of days does not change the
        price.
      </p>
    </div>
    <div>
      <Lines sums={calculated(String(testers), centsToInput(pay))!} />
      <RegisterLink
        account="developer"
        figures={{ testersRequired: testers, payPerTesterCents: pay }}
        className="mt-6 w-full"
      >
        Create your campaign
      </RegisterLink>
    </div>
  </form>
)

type FieldProps = { name: string; label: string; value: string; mode: 'numeric' | 'decimal'; prefix?: string }

const Field = ({ name, label, value, mode, prefix }: FieldProps) => (
  <label className="grid gap-1.5">
    <span className="text-base font-medium">{label}</span>
    <span className="relative block">
      {prefix && (
        <span aria-hidden className="pointer-events-none absolute top-3 left-3 text-base text-muted-foreground">
          {prefix}
        </span>
      )}
      <input
        name={name}
        defaultValue={value}
        inputMode={mode}
        autoComplete="off"
        maxLength={9}
        readOnly
        className={`${inputLook} h-12 tabular-nums md:text-base ${prefix ? 'pl-7' : ''}`}
      />
    </span>
  </label>
)

const Lines = ({ sums }: { sums: Sums }) => (
  <div aria-live="polite">
    <dl className="divide-y text-base tabular-nums">
      {sums.map(({ key, label, amount }) => (
        <div key={key} className="flex items-baseline justify-between gap-4 py-2.5 last:text-xl last:font-semibold">
          <dt data-label={key}>{label}</dt>
          <dd data-amount={key}>{amount}</dd>
        </div>
      ))}
    </dl>
  </div>
)
