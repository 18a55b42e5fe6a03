import { expect, test } from 'vitest'
import { developerSteps, testerSteps } from './onboardingSteps.ts'

const nothing = { paid: false, approved: false, started: false, completed: false }
const next = (steps: ReturnType<typeof developerSteps>) => steps?.find(step => !step.done)

test('a new developer is led from step to step, each to the campaign that waits for it', () => {
  expect(next(developerSteps({ totalCampaigns: 0, reached: nothing }, [], undefined))).toMatchObject({
    label: 'Create your first campaign',
    to: '/dashboard/campaigns/create',
  })
  expect(
    next(developerSteps({ totalCampaigns: 1, reached: nothing }, [{ id: 'a', status: 'DRAFT' }], undefined)),
  ).toMatchObject({
    label: 'Pay for it',
    to: '/dashboard/campaigns/a',
  })
  const paid = { ...nothing, paid: true }
  expect(
    next(
      developerSteps(
        { totalCampaigns: 2, reached: paid },
        [
          { id: 'b', status: 'DRAFT' },
          { id: 'a', status: 'PENDING_APPROVAL' },
        ],
        undefined,
      ),
    ),
  ).toMatchObject({ label: 'Have it approved', to: '/dashboard/campaigns/a' })
  const live = { ...paid, approved: true, started: true }
  expect(next(developerSteps({ totalCampaigns: 1, reached: live }, [], undefined))).toMatchObject({
    label: 'Review what testers hand in',
    to: '/dashboard/campaigns',
  })
})

test('the check list goes with the first completed campaign, and with the first verified test', () => {
  expect(developerSteps({ totalCampaigns: 1, reached: { ...nothing, completed: true } }, [], undefined)).toBeNull()
  expect(
    testerSteps({ completedTests: 1, reached: { joined: true, checkedIn: true, submitted: true } }, undefined),
  ).toBeNull()
})

test('a tester who has joined is asked to check in', () => {
  const steps = testerSteps(
    { completedTests: 0, reached: { joined: true, checkedIn: false, submitted: false } },
    undefined,
  )
  expect(next(steps)).toMatchObject({ label: 'Check in for the first time', to: '/dashboard/my-tests' })
})

test('who has named no country is asked for it first, and a profile that cannot be loaded asks for nothing', () => {
  const figures = { completedTests: 0, reached: { joined: false, checkedIn: false, submitted: false } }
  expect(next(testerSteps(figures, { country: null }))).toMatchObject({ to: '/dashboard/settings' })
  expect(next(testerSteps(figures, { country: 'DE' }))).toMatchObject({ label: 'Join your first campaign' })
  expect(testerSteps(figures, undefined)).toHaveLength(4)
})
