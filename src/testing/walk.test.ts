import { expect, test } from 'vitest'
import { everyStep } from './walk.ts'

/** One that is refused at once would leave whatever walks all endpoints without what comes after. */
test.each(everyStep.filter(({ endpoint }) => endpoint.body).map(step => [step.name, step] as const))(
  'the example of %s is a body that the endpoint takes',
  (_name, { endpoint, body }) => {
    expect(endpoint.body!.safeParse(body).error?.issues ?? []).toEqual([])
  },
)
