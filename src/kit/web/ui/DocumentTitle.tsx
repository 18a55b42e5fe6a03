import { useEffect } from 'react'

/** "Campaigns" → `Campaigns · Fieldtest` in the tab. PageHeader does this for dashboard screens. */
export const DocumentTitle = ({ title }: { title: string }) => {
  // Set on the document, because a rendered <title> would duplicate the one in index.html.
  useEffect(() => {
    document.title = `${title} · Fieldtest`
  }, [title])
  return null
}
