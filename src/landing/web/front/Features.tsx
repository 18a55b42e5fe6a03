import type { ReactNode } from 'react'
import {
  DaysPicture,
  DevicesPicture,
  FeedbackPicture,
  PayoutPicture,
  PrivacyPicture,
  SeatsPicture,
} from './FeaturePictures.tsx'
import { Section } from './parts.tsx'

const features: { title: string; text: string; picture: ReactNode }[] = [
  {
    title: 'Verified testers',
    text: 'Real people on real devices, with activity tracking: see each tester’s phone and every daily check-in.',
    picture: <DevicesPicture />,
  },
  {
    title: 'Automatic payouts',
    text: 'Pay is set aside before a test starts and goes to the tester the moment the test is verified.',
    picture: <PayoutPicture />,
  },
  {
    title: '14-day tracking',
    text: 'Meet the store’s closed-testing requirement: see who is opted in each day, and who is about to break the run.',
    picture: <DaysPicture />,
  },
  {
    title: 'Feedback and bug reports',
    text: 'Testers answer your form, report bugs with their steps, and retest what you fixed. You can ask for changes before you accept a proof.',
    picture: <FeedbackPicture />,
  },
  {
    title: 'NDAs and privacy controls',
    text: 'The link to your build stays hidden until a tester has joined and accepted your NDA, and you know testers by an alias.',
    picture: <PrivacyPicture />,
  },
  {
    title: 'Fast turnaround',
    text: 'Testers who match your app claim open seats on their own. No chasing friends.',
    picture: <SeatsPicture />,
  },
]

export const Features = () => (
  <Section
    id="features"
    title="Everything a closed test needs"
    lead="Testers, check-ins, feedback and payments in one place. No spreadsheets."
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
