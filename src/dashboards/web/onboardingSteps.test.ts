import { expect, test } from 'vitest'
import { developerSteps, testerSteps } from './onboardingSteps.ts'

const nothing = { paid: false, approved: false, started: false, completed: false }
const next = (steps: ReturnType<typeof developerSteps>) => steps?.find(step => !step.done)

test('each step of a new developer links to the campaign that it concerns', () => {
  expect(next(developerSteps({ totalCampaigns: 0, reached: nothing }, []))).toMatchObject({
    label: 'Create your first campaign',
    to: '/dashboard/campaigns/create',
  })
  expect(next(developerSteps({ totalCampaigns: 1, reached: nothing }, [{ id: 'a', status: 'DRAFT' }]))).toMatchObject({
    label: 'Pay for your campaign',
    to: '/dashboard/campaigns/a',
  })
  const paid = { ...nothing, paid: true }
  expect(
    next(
      developerSteps({ totalCampaigns: 2, reached: paid }, [
        { id: 'b', status: 'DRAFT' },
        { id: 'a', status: 'PENDING_APPROVAL' },
      ]),
    ),
  ).toMatchObject({ label: 'Get it approved', to: '/dashboard/campaigns/a' })
  const live = { ...paid, approved: true, started: true }
  expect(next(developerSteps({ totalCampaigns: 1, reached: live }, []))).toMatchObject({
    label: 'Review your testers’ proofs',
    to: '/dashboard/campaigns',
  })
})

test('the checklist disappears with the first completed campaign, and with the first verified test', () => {
  expect(developerSteps({ totalCampaigns: 1, reached: { ...nothing, completed: true } }, [])).toBeNull()
  expect(
    testerSteps(
      { completedTests: 1, reached: { joined: true, checkedIn: true, submitted: true }, hasOpenTest: true },
      undefined,
    ),
  ).toBeNull()
})

test('the next step of a tester who has joined is to check in', () => {
  const steps = testerSteps(
    { completedTests: 0, reached: { joined: true, checkedIn: false, submitted: false }, hasOpenTest: true },
    undefined,
  )
  expect(next(steps)).toMatchObject({ label: 'Check in for the first time', to: '/dashboard/my-tests' })
})

test('a missing country is the first step, and a profile that failed to load adds no step', () => {
  const figures = {
    completedTests: 0,
    reached: { joined: false, checkedIn: false, submitted: false },
    hasOpenTest: false,
  }
  expect(next(testerSteps(figures, { country: null }))).toMatchObject({ to: '/dashboard/settings' })
  expect(next(testerSteps(figures, { country: 'DE' }))).toMatchObject({ label: 'Join your first campaign' })
  expect(testerSteps(figures, undefined)).toHaveLength(4)
})

test.each([
  [false, false, ['Join your first campaign', 'Join another campaign', 'Check in for the first time']],
  [
    true,
    true,
    ['Join your first campaign', 'Check in for the first time', 'Submit your proof', 'Join another campaign'],
  ],
])(
  'a tester whose tests have all ended is led to another campaign: checked in %j, submitted %j',
  (checkedIn, submitted, first) => {
    const figures = { completedTests: 0, reached: { joined: true, checkedIn, submitted } }
    const steps = testerSteps({ ...figures, hasOpenTest: false }, undefined)
    expect(steps?.slice(0, first.length).map(({ label }) => label)).toEqual(first)
    expect(next(steps)).toMatchObject({ label: 'Join another campaign', to: '/dashboard/campaigns' })
    const open = testerSteps({ ...figures, hasOpenTest: true }, undefined)
    expect(open?.map(({ label }) => label)).not.toContain('Join another campaign')
  },
)
