import { expect, test } from 'vitest'
import { placeOf } from './words.ts'

test('only a Google Group is called one, and the steps of a list are about Play Console', () => {
  expect(placeOf('GOOGLE_GROUP').where).toBe('your Google Group')
  expect(placeOf('EMAIL_LIST').where).toBe('the list in Play Console')
})

test('who has a list in Play Console is warned that an upload replaces it, and who has a group is not', () => {
  expect(placeOf('EMAIL_LIST').warning).toContain('Never upload the changes')
  expect(placeOf('GOOGLE_GROUP').warning).toBeNull()
})
