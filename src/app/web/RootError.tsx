import { useRouteError } from 'react-router'
import { isMissingPart, isReloading } from '../../kit/web/newVersion.ts'
import { paths } from '../../kit/paths.ts'
import { Button } from '../../kit/web/ui/Button.tsx'
import { DocumentTitle } from '../../kit/web/ui/DocumentTitle.tsx'
import { PageSpinner } from '../../kit/web/ui/Spinner.tsx'

/** An error that no screen caught. Only a full reload is sure to recover. */
export const RootError = () => {
  const error = useRouteError()
  if (isReloading()) return <PageSpinner />
  const notLoaded = isMissingPart(error)
  return (
    <main className="mx-auto flex min-h-dvh max-w-md flex-col items-start justify-center gap-4 p-6">
      <DocumentTitle title={notLoaded ? 'This page could not be loaded' : 'Something went wrong'} />
      <h1 className="text-2xl font-semibold">
        {notLoaded ? 'This page could not be loaded' : 'Unexpected Application Error!'}
      </h1>
      <p className="text-muted-foreground">
        {notLoaded
          ? 'Check your connection, then reload the page.'
          : 'This page stopped working. Your data is safe on the server. Reload the page, or go to the home page.'}
      </p>
      {!notLoaded && error instanceof Error && (
        <p className="w-full overflow-x-auto rounded-md bg-muted px-3 py-2 font-mono text-xs">{error.message}</p>
      )}
      <div className="flex gap-2">
        <Button onClick={() => location.reload()}>Reload</Button>
        <Button variant="outline" onClick={() => location.assign(paths.home)}>
          Go to home page
        </Button>
      </div>
    </main>
  )
}
