import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import type { Answer, Report } from '../contract.ts'
import { Answers } from './Answers.tsx'

afterEach(cleanup)

const answer = (key: string, question: string) =>
  ({ key, question, draft: 'We did.', parts: [], characters: 7, mostCharacters: 300 }) as unknown as Answer

test('each button that copies a draft names its question', () => {
  const answers = [answer('recruiting', 'How did you recruit?'), answer('ease', 'How easy was it?')]
  render(<Answers report={{ answers, notes: [], campaign: { accessMode: 'EMAIL_LIST' } } as unknown as Report} />)
  const names = screen.getAllByRole('button').map(button => button.textContent)
  expect(names).toEqual(['Copy: How did you recruit?', 'Copy: How easy was it?'])
})
