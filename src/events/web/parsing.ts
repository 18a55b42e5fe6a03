/** The text of an event stream (WHATWG HTML §9.2), as far as our server uses it. Pure. */
export type StreamEvent = { id: string; name: string; data: string }

const eventOf = (block: string): StreamEvent | null => {
  const event: StreamEvent = { id: '', name: '', data: '' }
  for (const line of block.split('\n')) {
    const colon = line.indexOf(':')
    const value = line.slice(colon + 1).replace(/^ /, '')
    const field = line.slice(0, colon)
    if (field === 'id') event.id = value
    else if (field === 'event') event.name = value
    else if (field === 'data') event.data = value
  }
  return event.name === '' ? null : event
}

/** Returns whole events, however the text was cut on its way, and skips comments. */
export const streamParser = (): ((text: string) => StreamEvent[]) => {
  let rest = ''
  return text => {
    const blocks = (rest + text).split('\n\n')
    rest = blocks.pop() ?? ''
    return blocks.flatMap(block => eventOf(block) ?? [])
  }
}
