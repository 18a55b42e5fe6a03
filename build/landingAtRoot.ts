/** `npm run dev` answers / with landing.html, as the server does with the built page. */
import type { Plugin } from 'vite'

export const landingAtRoot = (): Plugin => ({
  name: 'landing-at-root',
  configureServer({ middlewares }) {
    middlewares.use((request, _response, next) => {
      if (request.url?.split('?')[0] === '/') request.url = '/landing.html'
      next()
    })
  },
})
