/**
 * What the document shows before the app's scripts have loaded, made of the screens' own components: rendered at build
 * time (build/prerender.ts) into templates of index.html, of which public/shell.js shows the one that matches the address
 * and the stored session. React replaces it with the screen in one step (main.tsx).
 */
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { StaticRouter } from 'react-router'
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
import { Badge } from '../../kit/web/ui/Badge.tsx'
import { Button } from '../../kit/web/ui/Button.tsx'
import { PageHeader } from '../../kit/web/ui/PageHeader.tsx'
import { PageSpinner } from '../../kit/web/ui/Spinner.tsx'

const Frame = ({ children }: { children: ReactNode }) => (
  <DashboardFrame bottom={<div className="h-16" />}>
    <div data-unconfirmed hidden>
      <NoticeFrame email="">
        <Button variant="outline" size="sm">
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
  /** Name and role are in the browser's storage: shell.js fills in the name and reserves space for the role. */
  dashboard: (
    <Frame>
      <PageHeader
        title="Welcome"
        badge={
          <span className="invisible">
            <Badge>Role</Badge>
          </span>
        }
      />
      <div className="grid gap-6">
        <DashboardSkeleton />
      </div>
    </Frame>
  ),
  'signed-in': (
    <Frame>
      <PageSpinner />
    </Frame>
  ),
  other: <PageSpinner />,
}

/** The illustration of the public screens stands in the first of them only; shell.js copies it into the others. */
const illustration = /<aside [^]*<\/aside>/

export const renderShells = (): string =>
  Object.entries(shells)
    .map(([name, shell], index) => {
      const markup = renderToStaticMarkup(<StaticRouter location="/">{shell}</StaticRouter>)
      const once = index === 0 ? markup : markup.replace(illustration, '<aside></aside>')
      return `<template id="shell-${name}">${once}</template>`
    })
    .join('\n    ')
