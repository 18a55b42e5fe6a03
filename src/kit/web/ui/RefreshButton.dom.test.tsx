import { useQuery } from '@tanstack/react-query'
import { act, render, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { Queries } from '../../../testing/web/Queries.tsx'
import { queryClient } from '../query.ts'
import { RefreshButton } from './RefreshButton.tsx'

/** A screen with a list whose answers come when a test says so. */
const showScreen = async () => {
  const asked: PromiseWithResolvers<string>[] = []
  const ask = () => {
    const answer = Promise.withResolvers<string>()
    asked.push(answer)
    return answer.promise
  }
  const Screen = () => {
    const { data: rows, refetch } = useQuery({ queryKey: ['fraud', 'list'], queryFn: ask })
    return (
      <>
        <RefreshButton of={['fraud']} />
        <button onClick={() => void refetch()}>By itself</button>
        {rows}
      </>
    )
  }
  render(<Screen />, { wrapper: Queries })
  const answered = async (rows: string) => {
    const answer = asked.at(-1)!
    await act(async () => answer.resolve(rows))
    await screen.findByText(rows, { exact: false })
  }
  await waitFor(() => expect(asked.length).toBe(1))
  await answered('first')
  return { times: () => asked.length, answered }
}

const press = (name: string) => act(async () => screen.getByRole('button', { name }).click())
const isBusy = () => screen.getByRole('button', { name: /Refresh/ }).getAttribute('aria-busy') === 'true'

afterEach(() => queryClient.clear())

test('a press reloads what is under the key, and the button is busy until the answer has come', async () => {
  const { times, answered } = await showScreen()
  await press('Refresh')
  await waitFor(() => expect(times()).toBe(2))
  expect(isBusy()).toBe(true)
  await answered('second')
  await waitFor(() => expect(isBusy()).toBe(false))
})

test('the button is not busy while the screen reloads on its own', async () => {
  const { times, answered } = await showScreen()
  await press('By itself')
  await waitFor(() => expect(times()).toBe(2))
  expect(queryClient.isFetching()).toBe(1)
  expect(isBusy()).toBe(false)
  await answered('second')
})
