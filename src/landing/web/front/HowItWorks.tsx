import { Section } from './parts.tsx'

type Step = { title: string; text: string }

const tracks: { who: string; what: string; steps: Step[] }[] = [
  {
    who: 'Developers',
    what: 'From a build to a verified closed test.',
    steps: [
      {
        title: 'Post your app',
        text: 'Describe what to test, for how many days, and what it pays. You see the total cost up front.',
      },
      {
        title: 'Choose testers',
        text: 'Set the countries and OS versions you need. Only testers with a matching device can join.',
      },
      {
        title: 'Get verified results',
        text: 'See every check-in, review the proof, and pay only for testing that happened.',
      },
    ],
  },
  {
    who: 'Testers',
    what: 'From your phone to your balance.',
    steps: [
      { title: 'Sign up and verify device', text: 'Create an account and join with the phone you use every day.' },
      {
        title: 'Test apps and give feedback',
        text: 'Check in once a day, and write down what works and what breaks.',
      },
      { title: 'Get paid', text: 'Once your test is verified, your pay lands in your balance, ready to withdraw.' },
    ],
  },
]

export const HowItWorks = () => (
  <Section
    id="how-it-works"
    title="How it works"
    lead="Three steps on each side. Developers get a closed test they can rely on, and testers get paid for their time."
    className="border-t bg-card"
  >
    <div className="grid gap-14 md:gap-16">
      {tracks.map(track => (
        <Track key={track.who} {...track} />
      ))}
    </div>
  </Section>
)

const Track = ({ who, what, steps }: (typeof tracks)[number]) => (
  <div className="grid gap-6 lg:grid-cols-[13rem_minmax(0,1fr)] lg:gap-10">
    <div>
      <h3 className="text-lg font-semibold">{who}</h3>
      <p className="text-base text-muted-foreground">{what}</p>
    </div>
    <ol className="grid gap-7 md:grid-cols-3 md:gap-8">
      {steps.map(({ title, text }, index) => (
        <li key={title} className="relative flex gap-4 md:block">
          <StepMark number={index + 1} last={index === steps.length - 1} />
          <div className="md:mt-5">
            <h4 className="text-base font-semibold">{title}</h4>
            <p className="mt-1 text-base text-muted-foreground">{text}</p>
          </div>
        </li>
      ))}
    </ol>
  </div>
)

/** The number, and a line to the next step: down on a phone, to the right on a wide screen. */
const StepMark = ({ number, last }: { number: number; last: boolean }) => (
  <>
    <span
      aria-hidden
      className="grid size-8 shrink-0 place-items-center rounded-lg bg-primary font-semibold text-primary-foreground tabular-nums"
    >
      {number}
    </span>
    {!last && (
      <span
        aria-hidden
        className="absolute top-10 -bottom-5 left-4 border-l md:top-4 md:right-[-1.25rem] md:bottom-auto md:left-11 md:border-t md:border-l-0"
      />
    )}
  </>
)
