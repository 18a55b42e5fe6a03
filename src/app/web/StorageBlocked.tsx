import { Button } from '../../kit/web/ui/Button.tsx'
import { DocumentTitle } from '../../kit/web/ui/DocumentTitle.tsx'

/** For a browser in which nobody can be signed in, because it keeps no tokens. */
export const StorageBlocked = () => (
  <main className="mx-auto flex min-h-dvh max-w-md flex-col items-start justify-center gap-4 p-6">
    <DocumentTitle title="Storage is blocked" />
    <h1 className="text-2xl font-semibold">Your browser blocks storage</h1>
    <p className="text-muted-foreground">
      Fieldtest keeps you signed in with your browser’s storage. Allow cookies and site data for this address in your
      browser’s settings, then reload the page.
    </p>
    <Button onClick={() => location.reload()}>Reload</Button>
  </main>
)
