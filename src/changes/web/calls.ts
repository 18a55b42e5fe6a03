import { queryOptions } from '@tanstack/react-query'
import type { bugApi, BugSummary } from '../../bugs/contract.ts'
import { bugKeys } from '../../bugs/web/keys.ts'
import { client } from '../../kit/web/api.ts'
import type { feedbackApi, QuestionResult } from '../../feedback/contract.ts'
import { invalidate } from '../../kit/web/query.ts'
import type { changeApi } from '../contract.ts'
import { changeKeys } from './keys.ts'

export const api = client<typeof changeApi>('changes')
const bugs = client<typeof bugApi>('bugs')
const feedback = client<typeof feedbackApi>('feedback')

export const versionsQuery = (campaignId: string) =>
  queryOptions({
    queryKey: changeKeys.ofCampaign(campaignId),
    queryFn: ({ signal }) => api.list({ params: { id: campaignId }, signal }),
  })

/** The bugs that a change can answer: the newest hundred of each state, by number. */
export const undecidedQuery = (campaignId: string) =>
  queryOptions({
    queryKey: bugKeys.undecided(campaignId),
    queryFn: async ({ signal }): Promise<BugSummary[]> => {
      const of = (status: 'OPEN' | 'CONFIRMED') => bugs.list({ params: { id: campaignId }, query: { status }, signal })
      const [open, confirmed] = await Promise.all([of('OPEN'), of('CONFIRMED')])
      return [...open.items, ...confirmed.items].toSorted((a, b) => a.number - b.number)
    },
  })

export type Written = { testId: string; questionId: string; question: string; alias: string; text: string }

const writtenIn = ({ question, quotations }: QuestionResult): Written[] =>
  quotations.map(({ testId, alias, text }) => ({
    testId,
    questionId: question.id,
    question: question.text,
    alias,
    text,
  }))

/** What testers wrote in the feedback form. */
export const writtenQuery = (campaignId: string) =>
  queryOptions({
    queryKey: changeKeys.written(campaignId),
    queryFn: async ({ signal }): Promise<Written[]> => {
      const { questions } = await feedback.results({ params: { id: campaignId }, query: {}, signal })
      return questions.flatMap(writtenIn)
    },
  })

/** Publishing a version also fixes bugs. */
export const refreshChanges = () => invalidate(changeKeys.all, bugKeys.all)
