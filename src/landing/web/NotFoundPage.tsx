import { useLocation } from 'react-router'
import { focusOnArrival } from '../../kit/web/arrival.ts'
import { paths } from '../../kit/paths.ts'
import { ButtonLink } from '../../kit/web/ui/Button.tsx'
import { DocumentTitle } from '../../kit/web/ui/DocumentTitle.tsx'

export const NotFoundPage = () => {
  const { pathname } = useLocation()
  return (
    <main className="mx-auto flex min-h-dvh max-w-md flex-col items-start justify-center p-6">
      <DocumentTitle title="Page Not Found" />
      <meta name="robots" content="noindex" />
      <p className="text-3xl font-semibold text-muted-foreground tabular-nums">404</p>
      <h1 ref={focusOnArrival} tabIndex={-1} className="mt-1 text-2xl font-semibold">
        Page Not Found
      </h1>
      <p className="mt-3 text-muted-foreground">There is no page at this address:</p>
      <p className="mt-2 max-w-full rounded-md bg-muted px-2.5 py-1.5 font-mono text-xs wrap-anywhere">{pathname}</p>
      <ButtonLink to={paths.home} className="mt-6">
        Back to home
      </ButtonLink>
    </main>
  )
}
