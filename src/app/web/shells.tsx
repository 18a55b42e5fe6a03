/**
 * What stands in the document before the app's scripts have loaded, made of the screens' own components: rendered at
 * build (build/prerender.ts) into templates of index.html, of which public/shell.js shows the one that fits the address and
 * the stored session. React replaces it with the screen itself in one go (main.tsx).
 */
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { StaticRouter } from 'react-router'
import { RegisterShell, SignInShell } from '../../accounts/web/shells.tsx'
import { DashboardSkeleton } from '../../dashboards/web/DashboardSkeleton.tsx'
import { DashboardFrame } from './layout/DashboardFrame.tsx'
import { Badge } from '../../kit/web/ui/Badge.tsx'
import { PageHeader } from '../../kit/web/ui/PageHeader.tsx'
import { PageSpinner } from '../../kit/web/ui/Spinner.tsx'

const Room = ({ children }: { children: ReactNode }) => (
  <DashboardFrame bottom={<div className="h-16" />}>{children}</DashboardFrame>
)

const shells = {
  login: <SignInShell />,
  register: <RegisterShell />,
  /** The name and the role are in the browser's storage: shell.js writes the one and leaves room for the other. */
  dashboard: (
    <Room>
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
    </Room>
  ),
  'signed-in': (
    <Room>
      <PageSpinner />
    </Room>
  ),
  other: <PageSpinner />,
}

export const renderShells = (): string =>
  Object.entries(shells)
    .map(([name, shell]) => {
      const markup = renderToStaticMarkup(<StaticRouter location="/">{shell}</StaticRouter>)
      return `<template id="shell-${name}">${markup}</template>`
    })
    .join('\n    ')
