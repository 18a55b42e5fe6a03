import { useRouteError } from 'react-router'
import { focusOnArrival } from '../../kit/web/arrival.ts'
import { isMissingPart, reloadsFor } from '../../kit/web/newVersion.ts'
import { paths } from '../../kit/paths.ts'
import { Button } from '../../kit/web/ui/Button.tsx'
import { DocumentTitle } from '../../kit/web/ui/DocumentTitle.tsx'
import { PageSpinner } from '../../kit/web/ui/Spinner.tsx'

/** An error that no screen caught. Only a full reload is sure to recover from it. */
export const RootError = ({ within: Box = 'main' }: { within?: 'main' | 'div' }) => {
  const error = useRouteError()
  if (reloadsFor(error)) return <PageSpinner />
  const notLoaded = isMissingPart(error)
  const title = notLoaded ? 'This page could not be loaded' : 'Unexpected Application Error!'
  return (
    <Box
      className={`flex max-w-md flex-col items-start gap-4 ${Box === 'main' ? 'mx-auto min-h-dvh justify-center p-6' : ''}`}
    >
      <DocumentTitle title={title} />
      <h1 ref={focusOnArrival} tabIndex={-1} className="text-2xl font-semibold">
        {title}
      </h1>
      <p className="text-muted-foreground">
        {notLoaded
          ? 'Check your connection, then reload the page.'
          : 'This page stopped working. Your data is safe on the server. Reload the page, or go to the home page.'}
      </p>
      {!notLoaded && error instanceof Error && (
        <p className="w-full overflow-x-auto rounded-md bg-muted px-3 py-2 font-mono text-xs">{error.message}</p>
      )}
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => location.reload()}>Reload</Button>
        <Button variant="outline" onClick={() => location.assign(paths.home)}>
          Go to home page
        </Button>
      </div>
    </Box>
  )
}

/** Within the frame of the dashboard, which has a `main` and its own bars. */
export const ScreenError = () => <RootError within="div" />
