/** A single-line text stays on one line, and a multi-line text keeps its lines: in lists, emails, subjects and tables. */
import type { ZodObject, ZodType } from 'zod'
import { expect, test } from 'vitest'
import { ProfileChange, Registration } from '../../accounts/contract.ts'
import { peopleApi } from '../../people/contract.ts'
import { CampaignChange, campaignApi, NewCampaign } from '../../campaigns/contract.ts'
import { Dismiss, Resolve } from '../../fraud/contract.ts'

const field = (body: ZodType, name: string) => (body as ZodObject).shape[name] as ZodType

test.each([
  ['the name of who registers', Registration, 'name'],
  ['the name in the profile', ProfileChange, 'name'],
  ['the title of a new campaign', NewCampaign, 'title'],
  ['the title of a changed campaign', CampaignChange, 'title'],
  ['the subject of a message', peopleApi.message.body, 'subject'],
])('%s is one line: breaks, tabs and control characters become spaces', (_, body, name) => {
  const parsed = (words: string) => field(body, name).safeParse(words)
  expect(parsed(' \r\na\t\t b\u2028\u0085\u001B\u007F=1\n').data).toBe('a b =1')
  expect(parsed('👩‍🚀 Zoë O’Neil-Łuk').data).toBe('👩‍🚀 Zoë O’Neil-Łuk')
  expect(parsed('\n\u0007\t').success).toBe(false)
})

test.each([
  ['the description of a new campaign', NewCampaign, 'description'],
  ['the description of a changed campaign', CampaignChange, 'description'],
  ['a message', peopleApi.message.body, 'message'],
  ['why somebody is suspended', peopleApi.ban.body, 'reason'],
  ['why a campaign is sent back', campaignApi.reject.body, 'reason'],
  ['how a report was resolved', Resolve, 'resolution'],
  ['why a report was dismissed', Dismiss, 'reason'],
])('%s keeps its lines', (_, body, name) => {
  expect(field(body, name).safeParse('\n1.  one\r\n\n\t2. two\n').data).toBe('1.  one\r\n\n\t2. two')
})
