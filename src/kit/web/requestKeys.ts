import { useState } from 'react'
import { randomId } from './randomId.ts'

/**
 * The idempotency keys of a form, for as long as it stands there: one for each wording, so that trying again, or
 * pressing twice, does once what was asked, and another wording is another request.
 */
export const useRequestKeys = () => {
  const [keys] = useState(() => new Map<string, string>())
  return (body: object): string => {
    const wording = JSON.stringify(body)
    const key = keys.get(wording) ?? randomId()
    keys.set(wording, key)
    return key
  }
}
