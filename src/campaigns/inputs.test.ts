import { expect, test } from 'vitest'
import { CampaignFilters } from './inputs.ts'

test('countries stay as they were entered, each of them once', () => {
  const { countries } = CampaignFilters.parse({ countries: [' Germany ', 'DE', 'germany', '', 'France', 'UK', 'GB'] })
  expect(countries).toEqual(['Germany', 'France', 'UK'])
})
