/** What the router gets for a request: it has no way to a screen for a page's address that cannot be decoded, such as /%. */
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
