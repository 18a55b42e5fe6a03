import { renderToStaticMarkup } from 'react-dom/server'
import { FrontPage } from './FrontPage.tsx'

/** The body of landing.html; called by build/prerender.ts. */
export const renderFrontPage = (): string => renderToStaticMarkup(<FrontPage />)
