/** Sends a page address that cannot be decoded, such as /%, to the not-found screen, because the router could not route it. */
import { apiBase } from '../../kit/server/http.ts'

const addressOfNothing = '/not-found'

export const routedUrl = ({ url = '/' }: { url?: string }): string =>
  url.startsWith(apiBase) || isDecodable(url.split('?')[0]!) ? url : addressOfNothing

export const isDecodable = (path: string) => {
  try {
    decodeURIComponent(path)
    return true
  } catch {
    return false
  }
}
