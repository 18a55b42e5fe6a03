import { Alert } from '../../kit/web/ui/Alert.tsx'
import { isPlainHttp } from '../rules.ts'

/** Warns of a link without encryption, and blocks nothing. Screen readers announce it when it appears. */
export const PlainHttpWarning = ({ link }: { link: string }) => (
  <div aria-live="polite" className="empty:hidden">
    {isPlainHttp(link) && (
      <Alert tone="yellow" title="This link starts with http://">
        Browsers show a warning before opening it, and anyone on the same network could replace the app. Use https:// if
        you can.
      </Alert>
    )}
  </div>
)
