/** Feedback on a test: the developer writes a form, a tester answers it on the phone with the proof, charts appear. */
import { call, join, liveCampaign, newPerson, passHours } from './support/api.ts'
import { expectAccessible } from './support/axe.ts'
import { expect, outlivedTokens, test } from './support/test.ts'

test('form, answers, charts: written with keyboard and pointer, answered with the proof despite a reload', async ({
  open,
}) => {
  test.setTimeout(120_000)
  const developer = await newPerson('DEVELOPER', 'Frieda Form')
  const tester = await newPerson('TESTER', 'Anton Answer')
  const campaign = await liveCampaign(developer, { title: 'Asked for feedback', durationDays: 1, testersRequired: 2 })

  const desk = await open({ as: developer, provokes: outlivedTokens })
  await desk.goto(`/dashboard/campaigns/${campaign.id}?tab=feedback`)
  await desk.getByRole('link', { name: 'Create a feedback form' }).click()
  await desk.getByRole('button', { name: /Usability \(SUS\)/ }).click()
  const questions = desk.getByRole('list', { name: 'Questions' })
  await expect(questions.getByRole('listitem', { name: /^Question \d+$/ })).toHaveCount(11)
  await desk.getByRole('button', { name: 'Add a question' }).click()
  const added = questions.getByRole('listitem', { name: 'Question 12', exact: true })
  await added.getByLabel('Question', { exact: true }).fill('Which screen do you open most?')
  await added.getByLabel('Answer type').selectOption('CHOICE')
  await added.getByLabel('Question 12, option 1').fill('Start')
  await added.getByLabel('Question 12, option 1').press('Enter')
  await desk.keyboard.type('Search')
  await added.getByRole('button', { name: 'Remove option 3 of question 12' }).click()
  // The preview shows it as testers will see it.
  const preview = desk.getByRole('complementary').filter({ hasText: 'Preview' })
  await expect(preview.getByRole('radiogroup', { name: 'Which screen do you open most?' })).toBeVisible()
  // Enter in the preview saves nothing; the page stays open.
  await preview.getByRole('radio', { name: 'Search' }).press('Enter')
  // Moves by keyboard, and keeps the focus.
  await added.getByLabel('Question', { exact: true }).press('Alt+ArrowUp')
  const text = questions
    .getByRole('listitem', { name: 'Question 11', exact: true })
    .getByLabel('Question', { exact: true })
  await expect(text).toBeFocused()
  await expect(text).toHaveValue('Which screen do you open most?')
  // Dragged back below the last question.
  const handle = desk.getByRole('button', { name: /^Move question 11:/ })
  await handle.scrollIntoViewIfNeeded()
  const from = (await handle.boundingBox())!
  const last = (await questions.getByRole('listitem', { name: 'Question 12', exact: true }).boundingBox())!
  await desk.mouse.move(from.x + 10, from.y + 10)
  await desk.mouse.down()
  await desk.mouse.move(from.x + 10, last.y + last.height - 4, { steps: 8 })
  await desk.mouse.up()
  await expect(added.getByLabel('Question', { exact: true })).toHaveValue('Which screen do you open most?')
  await expectAccessible(desk, 'the builder')
  await desk.getByRole('button', { name: 'Save the form' }).click()
  await expect(desk.getByText('No answers yet')).toBeVisible()

  const { id } = await join(tester, campaign)
  await call(tester, 'POST', `/testers/campaign-testers/${id}/check-ins`, {})
  await passHours(25)
  const phone = await open({ as: tester, screen: 'phone', provokes: outlivedTokens })
  await phone.goto(`/dashboard/my-tests/${id}`)
  await phone.getByLabel('Your proof').fill('I used it for a day.')
  await phone.getByRole('button', { name: 'Submit proof' }).click()
  // All ten statements and the choice are required; the last text is not.
  await expect(phone.getByText('Answer this question')).toHaveCount(11)
  const statements = phone.getByRole('radiogroup')
  for (let index = 0; index < 10; index++)
    await statements
      .nth(index)
      .getByText(index % 2 === 0 ? '4' : '2', { exact: true })
      .click()
  await phone.getByRole('radio', { name: 'Search' }).check()
  await phone.getByLabel('What was hardest to do, and why?').fill('=Finding the settings')
  await phone.reload()
  await expect(phone.getByLabel('What was hardest to do, and why?')).toHaveValue('=Finding the settings')
  await expect(phone.getByRole('radio', { name: 'Search' })).toBeChecked()
  await expectAccessible(phone, 'the proof with its form')
  await phone.getByRole('button', { name: 'Submit proof' }).click()
  await expect(phone.getByText('Proof submitted')).toBeVisible()

  await desk.reload()
  // Five times 3 and five times 3 of 40 points, times 2.5.
  await expect(desk.getByText('75', { exact: true })).toBeVisible()
  await expect(desk.getByText('Tester 1, Pixel 8 (Android 14)')).toBeVisible()
  await expect(desk.getByText('Anton')).toHaveCount(0)
  const chart = desk.getByRole('table', { name: 'Which screen do you open most?' })
  await expect(chart.getByRole('row', { name: /Search 1 \(100%\)/ })).toBeVisible()
  await desk.getByLabel('System version').selectOption('14')
  await expect(desk).toHaveURL(/osVersion=14/)
  await expectAccessible(desk, 'the answers')
  const [file] = await Promise.all([desk.waitForEvent('download'), desk.getByRole('button', { name: 'CSV' }).click()])
  expect(file.suggestedFilename()).toBe('feedback.csv')

  // A version answers it, the tester finds it under what needs attention, and the log and the report show it all.
  await desk.goto(`/dashboard/campaigns/${campaign.id}?tab=changes`)
  await desk.getByRole('button', { name: 'New version' }).click()
  await desk.getByLabel('Version').fill('1.2')
  await desk.getByLabel('What it changes').fill('The settings have an icon of their own')
  await desk.getByRole('checkbox', { name: /Finding the settings/ }).check()
  await expectAccessible(desk, 'a version that answers feedback')
  await desk.getByRole('button', { name: 'Publish the changes' }).click()
  await expect(desk.getByText('Tester 1: not tested yet')).toBeVisible()
  await phone.goto('/dashboard')
  await phone
    .getByRole('listitem')
    .filter({ hasText: 'A new version addresses your feedback' })
    .getByRole('link', { name: /^Test again/ })
    .click()
  await phone.getByRole('button', { name: 'Works now' }).click()
  await expect(phone.getByText('You: works now')).toBeVisible()
  await expectAccessible(phone, 'what has changed')
  await desk.reload()
  await expect(desk.getByText('Tester 1: works now')).toBeVisible()
  await desk.goto(`/dashboard/campaigns/${campaign.id}/report`)
  await expect(desk.getByRole('region', { name: 'Changes to the app' })).toContainText(
    'Addresses Tester 1’s feedback: works now for 1 tester',
  )
  await expect(desk.getByRole('region', { name: 'Feedback form' })).toContainText(
    'System Usability Scale: 75 out of 100',
  )
})

test('a question that was briefly a choice is saved without choices', async ({ open }) => {
  const developer = await newPerson('DEVELOPER', 'Cleo Choices')
  const { id } = await liveCampaign(developer, { title: 'Second thoughts' })
  const page = await open({ as: developer })
  await page.goto(`/dashboard/campaigns/${id}/feedback-form`)
  await page.getByRole('button', { name: 'Add a question' }).click()
  await page.getByLabel('Question', { exact: true }).fill('What did you miss?')
  for (const kind of ['CHOICE', 'SHORT_TEXT']) await page.getByLabel('Answer type').selectOption(kind)
  await page.getByRole('button', { name: 'Save the form' }).click()
  await expect(page.getByText('No answers yet')).toBeVisible()
})
