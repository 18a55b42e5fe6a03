import { expect, test } from 'vitest'
import { everyStep } from './walk.ts'

/** An example that was refused at once would hide what comes after it from every test that walks all endpoints. */
test.each(everyStep.filter(({ endpoint }) => endpoint.body).map(step => [step.name, step] as const))(
  'the endpoint accepts the example body of %s',
  (_name, { endpoint, body }) => {
    expect(endpoint.body!.safeParse(body).error?.issues ?? []).toEqual([])
  },
)
