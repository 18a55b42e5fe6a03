import type { ResultsQuery } from '../contract.ts'

const all = ['feedback'] as const

export const feedbackKeys = {
  all,
  form: (campaignId: string) => [...all, 'form', campaignId],
  results: (campaignId: string, filters: ResultsQuery) => [...all, 'results', campaignId, filters],
}
