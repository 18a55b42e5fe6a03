import { clsx } from 'clsx'
import { Badge } from '../../../kit/web/ui/Badge.tsx'
import { Calculator } from './Calculator.tsx'
import { mostPayWithin } from './calculated.ts'
import { Point, RegisterLink, Section, WaitlistLink } from './parts.tsx'

type Tier = { name: string; dollars: number; testers: number; text: string; points: string[]; popular?: true }

/** Spec §9. */
const tiers: Tier[] = [
  {
    name: 'Starter',
    dollars: 49,
    testers: 10,
    text: 'For a first outside opinion.',
    points: ['Real devices, daily check-ins', 'Proof from each tester to review', 'Open seats go to the next tester'],
  },
  {
    name: 'Growth',
    dollars: 99,
    testers: 25,
    text: 'For a closed test that has to count.',
    points: ['Everything in Starter', 'The store’s 12, with room to spare', 'A wider range of phones'],
    popular: true,
  },
  {
    name: 'Pro',
    dollars: 199,
    testers: 50,
    text: 'For more devices and countries.',
    points: ['Everything in Growth', 'Old and new OS versions', 'Several countries at once'],
  },
]

export const Pricing = () => (
  <Section
    id="pricing"
    title="Pay per campaign"
    lead="No subscription. Each plan covers one 14-day test cycle."
    className="border-t"
  >
    <ul className="grid gap-5 lg:grid-cols-3 lg:items-stretch">
      {tiers.map(tier => (
        <TierCard key={tier.name} {...tier} />
      ))}
    </ul>
    <Calculator />
    <div className="mt-5 flex flex-wrap items-center justify-between gap-x-8 gap-y-4 rounded-2xl border px-6 py-5 sm:px-7">
      <p className="text-base">
        <strong className="font-semibold">Larger needs?</strong>{' '}
        <span className="text-muted-foreground">Custom plans for more than 50 testers or several apps.</span>
      </p>
      <WaitlistLink variant="outline" size="md" preselect="developer">
        Request a custom plan
      </WaitlistLink>
    </div>
  </Section>
)

const TierCard = ({ name, dollars, testers, text, points, popular }: Tier) => (
  <li
    className={clsx(
      'flex flex-col rounded-2xl border bg-card p-6 sm:p-7',
      popular ? 'border-primary shadow-raised ring-1 ring-primary' : 'shadow-card',
    )}
  >
    <div className="flex h-6 items-center justify-between gap-3">
      <h3 className="text-lg font-semibold">{name}</h3>
      {popular && <Badge tone="primary">Most popular</Badge>}
    </div>
    <p className="mt-1 text-base text-muted-foreground">{text}</p>
    <p className="mt-6 flex items-baseline gap-2">
      <span className="text-[2.75rem] leading-none font-semibold tracking-[-0.035em] tabular-nums">${dollars}</span>
      <span className="text-base text-muted-foreground">for {testers} testers</span>
    </p>
    <p className="mt-2 text-muted-foreground">14-day test cycle</p>
    <ul className="mt-6 grid gap-2.5 border-t pt-6 text-base">
      {points.map(point => (
        <Point key={point}>{point}</Point>
      ))}
    </ul>
    <div className="mt-auto pt-8">
      <RegisterLink
        variant={popular ? 'primary' : 'outline'}
        account="developer"
        figures={{ testersRequired: testers, payPerTesterCents: mostPayWithin(dollars * 100, testers) }}
        className="w-full"
      >
        Choose {name}
      </RegisterLink>
    </div>
  </li>
)
