import { useEffect } from 'react'

/** "Campaigns" → `Campaigns · Fieldtest` in the tab. PageHeader does this for dashboard screens. */
export const DocumentTitle = ({ title }: { title: string }) => {
  // The tab's title belongs to the browser; a rendered <title> would stand beside the one of index.html.
  useEffect(() => {
    document.title = `${title} · Fieldtest`
  }, [title])
  return null
}
