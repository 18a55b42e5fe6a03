/**
 * What the document shows before the app's scripts have loaded, made of the screens' own components: rendered at build time
 * (build/prerender.ts) into templates of index.html. public/shell.js shows the one that matches the address and the stored
 * session, and React replaces it with the screen in one step (main.tsx).
 */
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { RouterProvider, createMemoryRouter } from 'react-router'
import {
  ForgotPasswordShell,
  RegisterShell,
  ResetPasswordShell,
  SignInShell,
  UndoEmailChangeShell,
  VerifyEmailShell,
} from '../../accounts/web/shells.tsx'
import { NoticeFrame } from '../../accounts/web/NoticeFrame.tsx'
import { DashboardSkeleton } from '../../dashboards/web/DashboardSkeleton.tsx'
import { DashboardFrame } from './layout/DashboardFrame.tsx'
import { Button } from '../../kit/web/ui/Button.tsx'
import { PageHeader } from '../../kit/web/ui/PageHeader.tsx'
import { PageSpinner } from '../../kit/web/ui/Spinner.tsx'
import { SkeletonList } from '../../kit/web/ui/States.tsx'
import { unknownBadge } from '../../kit/web/ui/unknownBadge.tsx'
import { type ScreenShell, details, screens } from './screenShells.tsx'

const Frame = ({ children }: { children: ReactNode }) => (
  <DashboardFrame bottom={<div className="h-16" />}>
    <div data-unconfirmed hidden>
      <NoticeFrame email="">
        <Button inert variant="outline" size="sm">
          Send again
        </Button>
      </NoticeFrame>
    </div>
    {children}
  </DashboardFrame>
)

const shells = {
  login: <SignInShell />,
  register: <RegisterShell />,
  'forgot-password': <ForgotPasswordShell />,
  'reset-password': <ResetPasswordShell />,
  'verify-email': <VerifyEmailShell />,
  'undo-email-change': <UndoEmailChangeShell />,
  /** Name and role are in the browser's storage, so shell.js fills in the name and reserves space for the role. */
  dashboard: (
    <Frame>
      <PageHeader title="Welcome" badge={unknownBadge} />
      <div className="grid gap-6">
        <DashboardSkeleton />
      </div>
    </Frame>
  ),
  'signed-in': (
    <Frame>
      <div data-content>
        <PageSpinner />
      </div>
    </Frame>
  ),
  other: <PageSpinner />,
}

const markupOf = (shell: ReactNode) =>
  renderToStaticMarkup(<RouterProvider router={createMemoryRouter([{ path: '*', element: shell }])} />)

/** In the placeholders that say so themselves (States.tsx). */
const loadingWords = '<span class="sr-only">Loading</span>'

/** It says once that it loads, in a place that stays when an answer replaces a placeholder. */
const screenTemplate = ({ path, roles: of, head, narrow = false, body = <SkeletonList />, needs }: ScreenShell) => {
  const markup = markupOf(
    <div className={narrow ? 'mx-auto max-w-3xl' : undefined}>
      <PageHeader {...head} />
      {body}
    </div>,
  ).replaceAll(loadingWords, '')
  const said = markupOf(<output className="sr-only">Loading</output>)
  return `<template data-screen="${path}" data-roles="${of.join(' ')}"${needs ? ` data-needs='${JSON.stringify(needs)}'` : ''}>${markup}${said}</template>`
}

/** Only the first public screen contains the illustration; shell.js copies it into the others. */
const illustration = /<aside [^]*<\/aside>/

const shellTemplate = ([name, shell]: [string, ReactNode], index: number) => {
  const markup = markupOf(shell)
  const once = index === 0 ? markup : markup.replace(illustration, '<aside></aside>')
  return `<template id="shell-${name}">${once}</template>`
}

export const renderShells = (): string =>
  [...Object.entries(shells).map(shellTemplate), ...[...screens, ...details].map(screenTemplate)].join('\n    ')
