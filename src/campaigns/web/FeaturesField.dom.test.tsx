import { fireEvent, render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { blankValues, useCampaignForm } from './campaignValues.ts'
import { FeaturesField } from './FeaturesField.tsx'

const Screen = () => <FeaturesField of={useCampaignForm({ ...blankValues, features: ['植物'] })} />
const lines = () => screen.getAllByRole('textbox').length

test('Enter adds a line, but not the Enter that ends a word of an input method', () => {
  render(<Screen />)
  const line = screen.getByLabelText('Feature 1')
  fireEvent.keyDown(line, { key: 'Enter', isComposing: true })
  expect(lines()).toBe(1)
  fireEvent.keyDown(line, { key: 'Enter' })
  expect(lines()).toBe(2)
})
