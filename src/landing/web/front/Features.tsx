import type { ReactNode } from 'react'
import { BugPicture, DaysPicture, DevicesPicture, NdaPicture, PayoutPicture, SeatsPicture } from './FeaturePictures.tsx'
import { Section } from './parts.tsx'

const features: { title: string; text: string; picture: ReactNode }[] = [
  {
    title: 'Verified testers',
    text: 'Real people on real devices, with activity tracking: each join carries its phone, each day its check-in.',
    picture: <DevicesPicture />,
  },
  {
    title: 'Automatic payouts',
    text: 'Pay is set aside before a test begins and moves to the tester the moment the test is verified.',
    picture: <PayoutPicture />,
  },
  {
    title: '14-day tracking',
    text: 'Meets the store’s closed-testing requirement: see who is opted in, day by day, and who is about to break the run.',
    picture: <DaysPicture />,
  },
  {
    title: 'Feedback and bug reports',
    text: 'Optional: add a form with your own questions, and let testers file bugs with steps and device.',
    picture: <BugPicture />,
  },
  {
    title: 'NDAs and privacy controls',
    text: 'Ask for an NDA, and the link to your build stays hidden until a tester has accepted it.',
    picture: <NdaPicture />,
  },
  {
    title: 'Fast turnaround',
    text: 'Testers who fit your app take the open seats themselves. No mailing lists, no chasing friends.',
    picture: <SeatsPicture />,
  },
]

export const Features = () => (
  <Section
    id="features"
    title="Features that a closed test needs"
    lead="The roster, the days, the feedback and the money in one place, and no spreadsheet beside it."
    className="border-t"
  >
    <ul className="grid gap-px overflow-hidden rounded-2xl border bg-border sm:grid-cols-2 lg:grid-cols-3">
      {features.map(({ title, text, picture }) => (
        <li key={title} className="flex flex-col bg-card">
          <div aria-hidden className="grid h-44 items-center overflow-hidden bg-muted/60 px-6">
            {picture}
          </div>
          <div className="p-6">
            <h3 className="text-base font-semibold">{title}</h3>
            <p className="mt-1.5 text-base text-muted-foreground">{text}</p>
          </div>
        </li>
      ))}
    </ul>
  </Section>
)
