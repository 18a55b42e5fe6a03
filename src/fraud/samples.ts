/**
 * Sample reports, for trying out the screen: they look like real ones and are about existing users. They are marked as samples
 * wherever they are shown, and Clear removes them. Pure.
 */
import { hoursAfter, type Instant } from '../kit/clock.ts'
import type { Severity } from './contract.ts'
import type { Found } from './rules.ts'

export type Sample = Found & { userId: string; severity: Severity }

/** The users of samples: at least one; if there are few, they appear more than once. */
export type SamplePerson = { userId: string }

const device = '5a3c91f0…'
const title = 'Notes for Android'

export const samplesOn = (people: readonly SamplePerson[], now: Instant): Sample[] => {
  const person = (place: number) => people[place % people.length]!.userId
  const ago = (hours: number) => hoursAfter(now, -hours)
  /** Somebody else; nobody if there is only one person. */
  const other = (place: number) => (people.length > 1 ? { userId: person(place) } : {})
  const made: (Found & { severity: Severity })[] = [
    {
      kind: 'SHARED_DEVICE',
      severity: 'CRITICAL',
      facts: {
        device,
        accounts: 5,
        people: [
          { at: ago(96), ...other(1) },
          { at: ago(30), userId: person(0) },
        ],
      },
    },
    {
      kind: 'SELF_TEST',
      severity: 'HIGH',
      facts: {
        title,
        joinedAt: ago(52),
        paid: false,
        devices: [{ device, developer: { at: ago(200), ...other(0) }, tester: { at: ago(52), userId: person(1) } }],
      },
    },
    {
      kind: 'SAME_PROOF',
      severity: 'HIGH',
      facts: {
        text: 'I used the app every day. Everything worked well and I found no problem with any of its screens.',
        proofs: 2,
        testers: 2,
        campaigns: 2,
        submitted: [
          { title, at: ago(44), ...other(3) },
          { title: 'Weather at a glance', at: ago(20), userId: person(2) },
        ],
      },
    },
    {
      kind: 'EARLY_WITHDRAWAL',
      severity: 'MEDIUM',
      facts: {
        account: { at: ago(15 * 24 + 9), userId: person(3) },
        credit: { at: ago(9.5), cents: 1000 },
        withdrawals: [{ at: ago(9), cents: 1000 }],
      },
    },
    {
      kind: 'SHARED_DEVICE',
      severity: 'LOW',
      facts: {
        device: 'c07e2b64…',
        accounts: 2,
        people: [
          { at: ago(400), ...other(5) },
          { at: ago(3), userId: person(4) },
        ],
      },
    },
  ]
  return made.map((sample, place) => ({ ...sample, userId: person(place) }))
}
