/**
 * Sample reports: what real ones look like, on users that exist, for trying out the screen. They are marked as samples
 * wherever they are shown, and Clear removes them. Pure.
 */
import { hoursAfter, type Instant } from '../kit/clock.ts'
import type { Severity } from './contract.ts'
import type { Fact, Finding } from './rules.ts'

export type Sample = Omit<Finding, 'key' | 'facts'>

/** Whom samples are made on: at least one; with few, the same people come again. */
export type SamplePerson = { userId: string }

type Made = { severity: Severity; reason: string; details: string; evidence: Fact[] }

const device = { label: 'Device', value: '5a3c91f0…' }

export const samplesOn = (people: readonly SamplePerson[], now: Instant): Sample[] => {
  const person = (place: number) => people[place % people.length]!.userId
  const ago = (hours: number) => hoursAfter(now, -hours)
  /** Somebody else, or nobody in particular where there is only one person. */
  const other = (place: number) => (people.length > 1 ? { userId: person(place) } : {})
  const made: Made[] = [
    {
      severity: 'CRITICAL',
      reason: 'One device on several accounts',
      details: '5 accounts signed in or joined campaigns from the same device.',
      evidence: [
        device,
        { label: 'First seen on the device', value: 'Account', at: ago(96), ...other(1) },
        { label: 'In between', value: '3 more accounts' },
        { label: 'First seen on the device', value: 'Account', at: ago(30), userId: person(0) },
      ],
    },
    {
      severity: 'HIGH',
      reason: 'Developer and tester on one device',
      details: 'A tester of “Notes for Android” and its developer used the same device.',
      evidence: [
        { label: 'Joined the campaign', value: 'Notes for Android', at: ago(52) },
        { label: 'Developer first seen on 5a3c91f0…', value: 'Account', at: ago(200), ...other(0) },
        { label: 'Tester first seen on 5a3c91f0…', value: 'Account', at: ago(52), userId: person(1) },
      ],
    },
    {
      severity: 'HIGH',
      reason: 'Same proof text from several testers',
      details: '2 testers submitted the same text in 2 campaigns. Case and spaces were ignored.',
      evidence: [
        {
          label: 'Text',
          value: 'I used the app every day. Everything worked well and I found no problem with any of its screens.',
        },
        { label: 'Submitted', value: 'Notes for Android', at: ago(44), ...other(3) },
        { label: 'Submitted', value: 'Weather at a glance', at: ago(20), userId: person(2) },
      ],
    },
    {
      severity: 'MEDIUM',
      reason: 'Withdrawal right after the first credit',
      details: '$10.00 was asked for less than an hour after the first credit of an account that was 15 days old.',
      evidence: [
        { label: 'Account created', value: 'Account', at: ago(15 * 24), userId: person(3) },
        { label: 'First credit', value: '$10.00', at: ago(9.5) },
        { label: 'Withdrawal', value: '$10.00', at: ago(9) },
      ],
    },
    {
      severity: 'LOW',
      reason: 'One device on several accounts',
      details: '2 accounts signed in or joined campaigns from the same device.',
      evidence: [
        { label: 'Device', value: 'c07e2b64…' },
        { label: 'First seen on the device', value: 'Account', at: ago(400), ...other(5) },
        { label: 'First seen on the device', value: 'Account', at: ago(3), userId: person(4) },
      ],
    },
  ]
  return made.map((sample, place) => ({ ...sample, userId: person(place) }))
}
