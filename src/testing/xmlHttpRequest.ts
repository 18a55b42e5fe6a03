/** XMLHttpRequest for tests of uploads: a request waits until the test answers it. */
import { vi } from 'vitest'

class SentRequest extends EventTarget {
  readonly upload = new EventTarget()
  readonly headers: Record<string, string> = {}
  line = ''
  form: FormData | null = null
  status = 0
  responseText = ''
  aborted = false
  #ended = false

  open(method: string, address: string) {
    this.line = `${method} ${address}`
  }
  setRequestHeader(name: string, value: string) {
    this.headers[name] = value
  }
  /** As in a browser, does nothing to a request that has been answered. */
  abort() {
    if (this.#ended) return
    this.aborted = true
    this.end('abort')
  }
  progress(loaded: number, total: number) {
    this.upload.dispatchEvent(Object.assign(new Event('progress'), { loaded, total }))
  }
  answer(status: number, body: unknown) {
    this.status = status
    this.responseText = typeof body === 'string' ? body : JSON.stringify(body)
    this.end('load')
  }
  end(how: 'load' | 'error' | 'timeout' | 'abort') {
    this.#ended = true
    this.dispatchEvent(new Event(how))
  }
}

/** In place until `vi.unstubAllGlobals()`; returns the requests that were sent. */
export const stubXmlHttpRequest = (): SentRequest[] => {
  const sent: SentRequest[] = []
  vi.stubGlobal(
    'XMLHttpRequest',
    class extends SentRequest {
      send(form: FormData) {
        this.form = form
        sent.push(this)
      }
    },
  )
  return sent
}
