import './zodConfig.ts'
import './styles.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router/dom'
import { reloadOnMissingPart } from './newVersion.ts'
import { router } from './routes.tsx'
import { session } from './session.ts'

session.restore()
reloadOnMissingPart()

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <RouterProvider router={router} />
  </StrictMode>,
)
