import type { Handlers } from '../../kit/endpoint.ts'
import type { feedbackApi } from '../contract.ts'
import * as feedback from './feedback.ts'

export const feedbackHandlers: Handlers<typeof feedbackApi> = {
  form: ({ user, params }) => feedback.formOf(user, params.id),
  saveForm: ({ user, params, body }) => feedback.saveForm(user, params.id, body),
  results: ({ user, params, query }) => feedback.results(user, params.id, query),
  resultsCsv: async ({ user, params, query }) => ({
    type: 'text/csv; charset=utf-8',
    content: await feedback.csvOf(user, params.id, query),
    downloadAs: 'feedback.csv',
  }),
}
